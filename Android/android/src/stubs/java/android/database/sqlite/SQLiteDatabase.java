// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.database.sqlite;

import android.database.Cursor;
import android.database.DatabaseErrorHandler;

public final class SQLiteDatabase {
    public static final int CREATE_IF_NECESSARY = 0x10000000;
    public static final int ENABLE_WRITE_AHEAD_LOGGING = 0x20000000;

    public interface CursorFactory {
        Cursor newCursor(SQLiteDatabase database, SQLiteCursorDriver driver, String table, SQLiteQuery query);
    }

    public static SQLiteDatabase openDatabase(
        String path, CursorFactory factory, int flags, DatabaseErrorHandler handler
    ) {
        throw new UnsupportedOperationException();
    }

    public void execSQL(String sql) { throw new UnsupportedOperationException(); }
    public void execSQL(String sql, Object[] arguments) { throw new UnsupportedOperationException(); }
    public Cursor rawQueryWithFactory(CursorFactory factory, String sql, String[] arguments, String table) {
        throw new UnsupportedOperationException();
    }
    public void beginTransactionNonExclusive() { throw new UnsupportedOperationException(); }
    public void setTransactionSuccessful() { throw new UnsupportedOperationException(); }
    public void endTransaction() { throw new UnsupportedOperationException(); }
    public void close() { throw new UnsupportedOperationException(); }
    @astrolabe.stubs.Since(30)
    public void execPerConnectionSQL(String sql, Object[] arguments) { throw new UnsupportedOperationException(); }
}
