package astrolabe.android

import android.database.Cursor
import android.database.SQLException
import android.database.sqlite.SQLiteCantOpenDatabaseException
import android.database.sqlite.SQLiteCursor
import android.database.sqlite.SQLiteDatabase
import android.database.sqlite.SQLiteDatabaseCorruptException
import android.database.sqlite.SQLiteDatabaseLockedException
import android.database.sqlite.SQLiteFullException
import android.database.sqlite.SQLiteProgram
import android.database.sqlite.SQLiteReadOnlyDatabaseException
import android.database.sqlite.SQLiteTableLockedException
import astrolabe.sql.SqlDatabase
import astrolabe.sql.SqlException
import astrolabe.sql.SqlFailure
import astrolabe.sql.SqlOpener
import astrolabe.sql.SqlRow

/** The platform's SQLite. */
public class AndroidSql private constructor(private val database: SQLiteDatabase) : SqlDatabase {
    override fun execute(sql: String, vararg arguments: Any): Unit = attempt {
        if (arguments.isEmpty()) database.execSQL(sql) else database.execSQL(sql, arguments)
    }

    override fun query(sql: String, vararg arguments: Any, row: (SqlRow) -> Boolean): Unit = attempt {
        // The platform binds arguments of a query as text, unless a cursor's factory binds them itself.
        val factory = SQLiteDatabase.CursorFactory { _, driver, table, query ->
            bind(query, arguments)
            SQLiteCursor(driver, table, query)
        }
        val cursor = database.rawQueryWithFactory(factory, sql, null, "")
        try {
            val current = Row(cursor)
            while (cursor.moveToNext() && row(current)) continue
        } finally {
            cursor.close()
        }
    }

    private fun bind(query: SQLiteProgram, arguments: Array<out Any>) {
        for ((index, argument) in arguments.withIndex()) {
            when (argument) {
                is Int -> query.bindLong(index + 1, argument.toLong())
                is Long -> query.bindLong(index + 1, argument)
                is String -> query.bindString(index + 1, argument)
                is ByteArray -> query.bindBlob(index + 1, argument)
                else -> throw SqlException(SqlFailure.OTHER, "cannot bind a ${argument.javaClass.name}")
            }
        }
    }

    override fun <Result> transaction(body: () -> Result): Result = attempt {
        database.beginTransactionNonExclusive()
        try {
            val result = body()
            database.setTransactionSuccessful()
            result
        } finally {
            database.endTransaction()
        }
    }

    override fun close(): Unit = database.close()

    private class Row(private val cursor: Cursor) : SqlRow {
        override fun long(column: Int): Long = cursor.getLong(column)

        override fun text(column: Int): String = cursor.getString(column) ?: ""

        override fun bytes(column: Int): ByteArray = cursor.getBlob(column) ?: ByteArray(0)
    }

    public companion object {
        /** Opens a database in WAL mode; leaves a damaged file to the caller, which sets it aside. */
        public val opener: SqlOpener = { path ->
            attempt {
                val flags = SQLiteDatabase.CREATE_IF_NECESSARY or SQLiteDatabase.ENABLE_WRITE_AHEAD_LOGGING
                // The default handler would delete a damaged file.
                val database = SQLiteDatabase.openDatabase(path, null, flags) { }
                try {
                    database.execSQL("PRAGMA synchronous = FULL")
                } catch (failure: SQLException) {
                    database.close()
                    throw failure
                }
                AndroidSql(database)
            }
        }

        private fun <Result> attempt(body: () -> Result): Result = try {
            body()
        } catch (failure: SQLException) {
            val reason = when (failure) {
                is SQLiteFullException -> SqlFailure.DISK_FULL
                is SQLiteReadOnlyDatabaseException, is SQLiteCantOpenDatabaseException -> SqlFailure.READ_ONLY
                is SQLiteDatabaseCorruptException -> SqlFailure.CORRUPT
                is SQLiteDatabaseLockedException, is SQLiteTableLockedException -> SqlFailure.LOCKED
                else -> SqlFailure.OTHER
            }
            throw SqlException(reason, failure.message ?: "SQLite failed", failure)
        } catch (failure: IllegalStateException) {
            // As of a database that is closed, or one whose lock another thread does not give up.
            throw SqlException(SqlFailure.OTHER, failure.message ?: "SQLite cannot be used", failure)
        }
    }
}
