package astrolabe.support

import astrolabe.sql.SqlDatabase
import astrolabe.sql.SqlException
import astrolabe.sql.SqlFailure
import astrolabe.sql.SqlOpener
import astrolabe.sql.SqlRow
import java.sql.Connection
import java.sql.DriverManager
import java.sql.PreparedStatement
import java.sql.ResultSet
import java.sql.SQLException

/** SQLite by JDBC, for programs and tests on a Java virtual machine. */
public class JdbcSql private constructor(private val connection: Connection) : SqlDatabase {
    private val statements = HashMap<String, PreparedStatement>()

    override fun execute(sql: String, vararg arguments: Any): Unit = attempt {
        if (arguments.isEmpty()) {
            // A statement that returned a row, as some pragmas do, would stay open and block the commit.
            val statement = connection.createStatement()
            try {
                statement.execute(sql)
            } finally {
                statement.close()
            }
        } else {
            prepared(sql, arguments).executeUpdate()
        }
    }

    override fun query(sql: String, vararg arguments: Any, row: (SqlRow) -> Boolean): Unit = attempt {
        val results = prepared(sql, arguments).executeQuery()
        try {
            val current = Row(results)
            while (results.next() && row(current)) continue
        } finally {
            results.close()
        }
    }

    override fun <Result> transaction(body: () -> Result): Result {
        execute("BEGIN IMMEDIATE")
        try {
            val result = body()
            execute("COMMIT")
            return result
        } catch (failure: RuntimeException) {
            try {
                execute("ROLLBACK")
            } catch (_: SqlException) {
                // Some failures have already rolled back.
            }
            throw failure
        }
    }

    override fun close(): Unit = connection.close()

    private fun prepared(sql: String, arguments: Array<out Any>): PreparedStatement {
        if (statements.size >= CACHED_STATEMENTS) {
            // Some texts contain ids and are used once.
            for (statement in statements.values) statement.close()
            statements.clear()
        }
        val statement = statements.getOrPut(sql) { connection.prepareStatement(sql) }
        for ((index, argument) in arguments.withIndex()) {
            when (argument) {
                is Int -> statement.setLong(index + 1, argument.toLong())
                is Long -> statement.setLong(index + 1, argument)
                is String -> statement.setString(index + 1, argument)
                is ByteArray -> statement.setBytes(index + 1, argument)
                else -> throw SqlException(SqlFailure.OTHER, "cannot bind a ${argument.javaClass.name}")
            }
        }
        return statement
    }

    private class Row(private val results: ResultSet) : SqlRow {
        override fun long(column: Int): Long = results.getLong(column + 1)

        override fun text(column: Int): String = results.getString(column + 1) ?: ""

        override fun bytes(column: Int): ByteArray = results.getBytes(column + 1) ?: ByteArray(0)
    }

    public companion object {
        private const val BUSY_TIMEOUT = 5_000
        private const val CACHED_STATEMENTS = 64

        public val opener: SqlOpener = { path ->
            attempt {
                val database = JdbcSql(DriverManager.getConnection("jdbc:sqlite:$path"))
                try {
                    database.execute("PRAGMA busy_timeout = $BUSY_TIMEOUT")
                    database.execute("PRAGMA journal_mode = WAL")
                    database.execute("PRAGMA synchronous = FULL")
                } catch (failure: SqlException) {
                    database.close()
                    throw failure
                }
                database
            }
        }

        private fun <Result> attempt(body: () -> Result): Result = try {
            body()
        } catch (failure: SQLException) {
            // The primary result codes of SQLite: BUSY, LOCKED, READONLY, CORRUPT, FULL, CANTOPEN, NOTADB.
            val reason = when (failure.errorCode and 0xFF) {
                5, 6 -> SqlFailure.LOCKED
                8, 14 -> SqlFailure.READ_ONLY
                11, 26 -> SqlFailure.CORRUPT
                13 -> SqlFailure.DISK_FULL
                else -> SqlFailure.OTHER
            }
            throw SqlException(reason, failure.message ?: "SQLite failed", failure)
        }
    }
}
