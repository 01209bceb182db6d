// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.database.sqlite;

public class SQLiteFullException extends SQLiteException {
    public SQLiteFullException() {}
    public SQLiteFullException(String message) { super(message); }
}
