// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.database.sqlite;

import java.sql.ResultSet;

public class SQLiteCursor implements android.database.Cursor {
    private final SQLiteQuery query;
    private ResultSet results;

    public SQLiteCursor(SQLiteCursorDriver driver, String table, SQLiteQuery query) { this.query = query; }

    public boolean moveToNext() {
        return SQLiteDatabase.get(() -> {
            if (results == null) results = query.statement.executeQuery();
            return results.next();
        });
    }
    public long getLong(int column) { return SQLiteDatabase.get(() -> results.getLong(column + 1)); }
    public String getString(int column) { return SQLiteDatabase.get(() -> results.getString(column + 1)); }
    public byte[] getBlob(int column) { return SQLiteDatabase.get(() -> results.getBytes(column + 1)); }
    public void close() { SQLiteDatabase.run(() -> query.statement.close()); }
}
