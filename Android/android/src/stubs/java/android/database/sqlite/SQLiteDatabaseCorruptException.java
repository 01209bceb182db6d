// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.database.sqlite;

public class SQLiteDatabaseCorruptException extends SQLiteException {
    public SQLiteDatabaseCorruptException() {}
    public SQLiteDatabaseCorruptException(String message) { super(message); }
}
