/// The tables. Numbers are SQLite integers; bytes are opaque.
///
///     records  id | kind | priority | time | header | refusals | checksum | payload      a row for each record
///                 index (priority, time): the turn of each priority, and the order of eviction
///     headers  id | checksum | records | bytes       what records share, with the number that do; gone with the last
///     leases   record | lease | owner | expires      a row for each record that is out
///     owners   id | name                             who may hold leases; alive while it holds the lock of its file
///     totals   kind, priority | records | bytes      sums over `records`, kept in the transaction that changes them
///     ledger   name | value                          counters
///     marks    name | value                          the caller's bytes
///     ids      last                                  the last id that was given, one row
///
/// Leases have a table of their own because to write a lease into a record's row would write the row's payload again.
/// Ids are never used twice, so an acknowledgement that comes late cannot meet another record.
enum QueueSchema {
    static let version: Int64 = 1
    /// What `PRAGMA user_version` says: the version in both halves, so that damage is not taken for a later version.
    static let stamp = version << 16 | version

    /// The version that a stamp names; `nil` for one that is damaged. 0 is that of a new file.
    static func version(of stamp: Int64) -> Int64? {
        stamp >> 16 == stamp & 0xFFFF ? stamp & 0xFFFF : nil
    }

    /// Settings of each connection, before the tables exist.
    ///
    /// Rows that go are overwritten with zeros, whatever the system's default; it costs less than two more writes in a
    /// hundred.
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

    /// How far a commit goes.
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
