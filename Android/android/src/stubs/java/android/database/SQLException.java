// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.database;

public class SQLException extends RuntimeException {
    public SQLException() {}
    public SQLException(String message) { super(message); }
}
