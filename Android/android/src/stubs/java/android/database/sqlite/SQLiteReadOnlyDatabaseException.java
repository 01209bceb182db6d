// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.database.sqlite;

public class SQLiteReadOnlyDatabaseException extends SQLiteException {
    public SQLiteReadOnlyDatabaseException() {}
    public SQLiteReadOnlyDatabaseException(String message) { super(message); }
}
