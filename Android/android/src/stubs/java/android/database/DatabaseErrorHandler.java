// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.database;

public interface DatabaseErrorHandler {
    void onCorruption(android.database.sqlite.SQLiteDatabase database);
}
