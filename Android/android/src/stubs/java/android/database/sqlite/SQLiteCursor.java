// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.database.sqlite;

public class SQLiteCursor implements android.database.Cursor {
    public SQLiteCursor(SQLiteCursorDriver driver, String table, SQLiteQuery query) {}

    public boolean moveToNext() { throw new UnsupportedOperationException(); }
    public long getLong(int column) { throw new UnsupportedOperationException(); }
    public String getString(int column) { throw new UnsupportedOperationException(); }
    public byte[] getBlob(int column) { throw new UnsupportedOperationException(); }
    public void close() {}
}
