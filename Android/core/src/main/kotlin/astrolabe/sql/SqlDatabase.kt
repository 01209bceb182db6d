package astrolabe.sql

/**
 * A connection to an SQLite database: one of the two interfaces that a platform implements.
 *
 * The core calls it from one thread at a time. A transaction that has returned must survive the end of the process, so
 * an implementation opens the file in WAL mode and with `synchronous = FULL`. It binds `Long` and `Int` as integers,
 * `String` as text and `ByteArray` as a blob, and throws [SqlException] for every failure. SQLite 3.9 is enough.
 */
public interface SqlDatabase {
    /** Runs one statement that returns no rows. */
    public fun execute(sql: String, vararg arguments: Any)

    /** Calls [row] for each row, until it returns false. */
    public fun query(sql: String, vararg arguments: Any, row: (SqlRow) -> Boolean)

    /** Runs [body] in a transaction that writes, committed when it returns and rolled back if it throws. */
    public fun <Result> transaction(body: () -> Result): Result

    public fun close()
}

/** The current row of a query; columns count from 0. */
public interface SqlRow {
    public fun long(column: Int): Long

    public fun text(column: Int): String

    public fun bytes(column: Int): ByteArray
}

/** Opens or creates the database file at a path, whose folder exists. */
public typealias SqlOpener = (path: String) -> SqlDatabase

/** Why SQLite failed. */
public enum class SqlFailure {
    DISK_FULL,
    READ_ONLY,

    /** The file is damaged, or it is no database. */
    CORRUPT,

    /** Another process held the database too long. */
    LOCKED,
    OTHER
}

/** A failed call; it has changed nothing outside its transaction. */
public class SqlException(
    public val failure: SqlFailure,
    message: String,
    cause: Throwable? = null
) : RuntimeException(message, cause)

/** Returns the first number of the first row; 0 if there is none. */
internal fun SqlDatabase.number(sql: String, vararg arguments: Any): Long {
    var number = 0L
    query(sql, *arguments) {
        number = it.long(0)
        false
    }
    return number
}

/** Returns what [row] makes of all rows. */
internal fun <Element> SqlDatabase.all(
    sql: String,
    vararg arguments: Any,
    row: (SqlRow) -> Element
): List<Element> {
    val elements = mutableListOf<Element>()
    query(sql, *arguments) { elements.add(row(it)) }
    return elements
}
