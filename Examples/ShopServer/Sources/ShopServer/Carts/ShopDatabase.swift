import GRDB
import ServerSupport

/// The shop's SQLite database: carts that expire, and orders.
///
/// No table has a column for a card, an e-mail address or a postal address. Only the owner may read the file.
enum ShopDatabase {
    /// Opens the database and brings its schema up to date.
    ///
    /// - Parameter path: a file, created where it does not exist; nil for a database in memory.
    /// - Throws: ``ShopBackendError/database(path:reason:)``.
    static func open(path: String?) throws(ShopBackendError) -> any DatabaseWriter {
        var configuration = GRDB.Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        do {
            if let path { OwnerFiles.createDatabase(path) }
            let database: any DatabaseWriter =
                if let path {
                    try DatabasePool(path: path, configuration: configuration)
                } else {
                    try DatabaseQueue(configuration: configuration)
                }
            try migrator.migrate(database)
            if let path { OwnerFiles.protectDatabase(path) }
            return database
        } catch {
            throw .database(path: path ?? "in memory", reason: "\(error)")
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("carts and orders") { database in
            try database.execute(
                sql: """
                    CREATE TABLE cart (
                        user_id    TEXT PRIMARY KEY NOT NULL,
                        expires_at INTEGER NOT NULL            -- milliseconds since 1970
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX cart_by_expiry ON cart (expires_at);

                    CREATE TABLE cart_item (
                        position   INTEGER PRIMARY KEY,        -- the order in which lines were first added
                        user_id    TEXT NOT NULL REFERENCES cart (user_id) ON DELETE CASCADE,
                        product_id TEXT NOT NULL,
                        quantity   INTEGER NOT NULL CHECK (quantity > 0),
                        UNIQUE (user_id, product_id)
                    ) STRICT;

                    CREATE TABLE placed_order (
                        position       INTEGER PRIMARY KEY,    -- oldest first
                        order_id       TEXT NOT NULL UNIQUE,
                        tracking_id    TEXT NOT NULL,
                        user_id        TEXT NOT NULL,
                        placed_at      INTEGER NOT NULL,       -- milliseconds since 1970
                        currency_code  TEXT NOT NULL,
                        shipping_units INTEGER NOT NULL,
                        shipping_nanos INTEGER NOT NULL,
                        total_units    INTEGER NOT NULL,
                        total_nanos    INTEGER NOT NULL,
                        charged        INTEGER NOT NULL CHECK (charged IN (0, 1))
                    ) STRICT;

                    CREATE TABLE order_item (
                        order_id   TEXT NOT NULL REFERENCES placed_order (order_id) ON DELETE CASCADE,
                        product_id TEXT NOT NULL,
                        quantity   INTEGER NOT NULL CHECK (quantity > 0),
                        cost_units INTEGER NOT NULL,           -- of one piece
                        cost_nanos INTEGER NOT NULL,
                        PRIMARY KEY (order_id, product_id)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        return migrator
    }
}
