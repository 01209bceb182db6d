// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.database.sqlite;

public abstract class SQLiteProgram {
    public void bindBlob(int index, byte[] value) { throw new UnsupportedOperationException(); }
    public void bindLong(int index, long value) { throw new UnsupportedOperationException(); }
    public void bindString(int index, String value) { throw new UnsupportedOperationException(); }
}
