// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.database;

public interface Cursor {
    boolean moveToNext();
    long getLong(int column);
    String getString(int column);
    byte[] getBlob(int column);
    void close();
}
