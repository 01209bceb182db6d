// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.database.sqlite;

import java.sql.PreparedStatement;

public abstract class SQLiteProgram {
    final PreparedStatement statement;

    SQLiteProgram(PreparedStatement statement) { this.statement = statement; }

    public void bindBlob(int index, byte[] value) { SQLiteDatabase.run(() -> statement.setBytes(index, value)); }
    public void bindLong(int index, long value) { SQLiteDatabase.run(() -> statement.setLong(index, value)); }
    public void bindString(int index, String value) { SQLiteDatabase.run(() -> statement.setString(index, value)); }
}
