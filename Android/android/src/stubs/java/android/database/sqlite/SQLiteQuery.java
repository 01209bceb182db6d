// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.database.sqlite;

import java.sql.PreparedStatement;

public final class SQLiteQuery extends SQLiteProgram {
    SQLiteQuery(PreparedStatement statement) { super(statement); }
}
