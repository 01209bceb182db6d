// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.database.sqlite;

import android.database.Cursor;
import android.database.DatabaseErrorHandler;
import astrolabe.stubs.FakeDevice;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;

/** SQLite by JDBC, with the exceptions that Android throws for SQLite's codes. */
public final class SQLiteDatabase {
    public static final int CREATE_IF_NECESSARY = 0x10000000;
    public static final int ENABLE_WRITE_AHEAD_LOGGING = 0x20000000;

    public interface CursorFactory {
        Cursor newCursor(SQLiteDatabase database, SQLiteCursorDriver driver, String table, SQLiteQuery query);
    }

    private final Connection connection;
    private boolean isSuccessful;

    private SQLiteDatabase(Connection connection) { this.connection = connection; }

    public static SQLiteDatabase openDatabase(
        String path, CursorFactory factory, int flags, DatabaseErrorHandler handler
    ) {
        FakeDevice.called("openDatabase");
        SQLiteDatabase database = get(() -> new SQLiteDatabase(DriverManager.getConnection("jdbc:sqlite:" + path)));
        // Android's default where the device does not say otherwise.
        database.execSQL("PRAGMA synchronous = NORMAL");
        if ((flags & ENABLE_WRITE_AHEAD_LOGGING) != 0) database.execSQL("PRAGMA journal_mode = WAL");
        return database;
    }

    public void execSQL(String sql) {
        FakeDevice.called("execSQL");
        run(() -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        });
    }
    public void execSQL(String sql, Object[] arguments) {
        FakeDevice.called("execSQL");
        run(() -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int index = 0; index < arguments.length; index++) statement.setObject(index + 1, arguments[index]);
                statement.execute();
            }
        });
    }
    public Cursor rawQueryWithFactory(CursorFactory factory, String sql, String[] arguments, String table) {
        FakeDevice.called("rawQuery");
        return get(() -> factory.newCursor(this, null, table, new SQLiteQuery(connection.prepareStatement(sql))));
    }
    public void beginTransactionNonExclusive() {
        execSQL("BEGIN IMMEDIATE");
        isSuccessful = false;
    }
    public void setTransactionSuccessful() { isSuccessful = true; }
    public void endTransaction() { execSQL(isSuccessful ? "COMMIT" : "ROLLBACK"); }
    public void close() { run(connection::close); }
    @astrolabe.stubs.Since(30)
    public void execPerConnectionSQL(String sql, Object[] arguments) { throw new UnsupportedOperationException(); }

    interface Body<Result> {
        Result run() throws java.sql.SQLException;
    }

    interface Action {
        void run() throws java.sql.SQLException;
    }

    static void run(Action action) {
        get(() -> {
            action.run();
            return null;
        });
    }

    static <Result> Result get(Body<Result> body) {
        try {
            return body.run();
        } catch (java.sql.SQLException failure) {
            throw exception(failure.getErrorCode() & 0xFF, failure.getMessage());
        }
    }

    /** As `throw_sqlite3_exception` of Android does. */
    public static SQLiteException exception(int code, String message) {
        switch (code) {
            case 5: return new SQLiteDatabaseLockedException(message);
            case 6: return new SQLiteTableLockedException(message);
            case 8: return new SQLiteReadOnlyDatabaseException(message);
            case 10: return new SQLiteDiskIOException(message);
            case 11: case 26: return new SQLiteDatabaseCorruptException(message);
            case 13: return new SQLiteFullException(message);
            case 14: return new SQLiteCantOpenDatabaseException(message);
            default: return new SQLiteException(message);
        }
    }
}
