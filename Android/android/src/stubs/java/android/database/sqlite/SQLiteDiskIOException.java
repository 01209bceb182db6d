// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.database.sqlite;

public class SQLiteDiskIOException extends SQLiteException {
    public SQLiteDiskIOException() {}
    public SQLiteDiskIOException(String message) { super(message); }
}
