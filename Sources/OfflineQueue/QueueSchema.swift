/// The tables of the database. Numbers are SQLite integers; bytes are opaque.
///
///     records  id | kind | priority | time | header | refusals | checksum | payload      a row for each record
///                 index (priority, time): the lease order within a priority, and the eviction order
///     headers  id | checksum | records | bytes       shared headers with the number of records that use them
///     leases   record | lease | owner | expires      a row for each leased record
///     owners   id | name                             possible owners of leases; alive while their file is locked
///     totals   kind, priority | records | bytes      sums over `records`, updated in the same transaction
///     ledger   name | value                          counters
///     marks    name | value                          the caller's bytes
///     ids      last                                  the last assigned id, one row
///
/// Leases have their own table, because storing a lease in a record's row would rewrite the payload. Ids are never
/// reused, so a late acknowledgement cannot match another record.
enum QueueSchema {
    static let version: Int64 = 1
    /// The value of `PRAGMA user_version`: the version in both halves, so that damage does not look like a newer
    /// version.
    static let stamp = version << 16 | version

    /// Returns the version of a stamp; `nil` if the stamp is damaged. A new file has version 0.
    static func version(of stamp: Int64) -> Int64? {
        stamp >> 16 == stamp & 0xFFFF ? stamp & 0xFFFF : nil
    }

    /// Returns the settings of each connection, applied before the tables exist.
    ///
    /// Deleted rows are overwritten with zeros, whatever the system's default. This costs less than 2 % of the write
    /// time.
    static func settings(_ configuration: QueueConfiguration) -> String {
        let pages = configuration.maximumPages.map { "PRAGMA max_page_count = \($0);" } ?? ""
        return """
            PRAGMA auto_vacuum = INCREMENTAL;
            PRAGMA journal_mode = WAL;
            PRAGMA secure_delete = ON;
            PRAGMA journal_size_limit = 4194304;
            PRAGMA trusted_schema = OFF;
            PRAGMA temp_store = MEMORY;
            \(pages)
            """
    }

    /// Returns the pragma that sets the durability of a commit.
    static func synchronous(_ durability: QueueConfiguration.Durability) -> String {
        switch durability {
        case .processDeath: "PRAGMA synchronous = NORMAL"
        case .powerLoss: "PRAGMA synchronous = FULL"
        }
    }

    static let tables = """
        CREATE TABLE records (
            id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, priority INTEGER NOT NULL,
            time INTEGER NOT NULL, header INTEGER NOT NULL, refusals INTEGER NOT NULL DEFAULT 0,
            checksum INTEGER NOT NULL, payload BLOB NOT NULL);
        CREATE INDEX records_by_turn ON records (priority, time);
        CREATE TABLE headers (
            id INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, records INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX headers_by_checksum ON headers (checksum);
        CREATE TABLE leases (
            record INTEGER PRIMARY KEY, lease INTEGER NOT NULL, owner INTEGER NOT NULL, expires INTEGER NOT NULL);
        CREATE TABLE owners (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
        CREATE TABLE totals (
            kind INTEGER, priority INTEGER, records INTEGER NOT NULL, bytes INTEGER NOT NULL,
            PRIMARY KEY (kind, priority)) WITHOUT ROWID;
        CREATE TABLE ledger (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE marks (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE ids (last INTEGER NOT NULL);
        PRAGMA user_version = \(stamp);
        """
}
