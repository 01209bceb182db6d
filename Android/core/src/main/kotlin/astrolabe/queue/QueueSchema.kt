package astrolabe.queue

/**
 * The tables of the database.
 *
 *     records  id | kind | priority | time | refusals | payload    a row for each record
 *     leases   record | lease | owner | expires                    a row for each leased record
 *     owners   id | name                                           alive while their file is locked
 *     totals   kind, priority | records | bytes                    sums over `records`, updated with them
 *     ledger   name | value                                        counters
 *     ages     age | steady | boot | is_boot_known                 the queue's age at the last reading, one row
 *     arrivals age | last_before                                   of records of one time: the last id before them
 *     ids      last                                                the last assigned id, one row
 *
 * Leases have their own table, because storing a lease in a record's row would rewrite the payload. Ids are never
 * reused, so a late acknowledgement cannot match another record.
 */
internal object QueueSchema {
    const val VERSION: Long = 1

    val statements: List<String> = listOf(
        "CREATE TABLE records (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, priority INTEGER NOT NULL, " +
            "time INTEGER NOT NULL, refusals INTEGER NOT NULL, payload BLOB NOT NULL)",
        "CREATE INDEX records_by_turn ON records (priority, time)",
        "CREATE TABLE leases (record INTEGER PRIMARY KEY, lease INTEGER NOT NULL, owner INTEGER NOT NULL, " +
            "expires INTEGER NOT NULL)",
        "CREATE TABLE owners (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE)",
        "CREATE TABLE totals (kind INTEGER, priority INTEGER, records INTEGER NOT NULL, bytes INTEGER NOT NULL, " +
            "PRIMARY KEY (kind, priority)) WITHOUT ROWID",
        "CREATE TABLE ledger (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
        "CREATE TABLE ids (last INTEGER NOT NULL)",
        "PRAGMA user_version = $VERSION"
    )

    /** Files of earlier versions do not have these. */
    val ages: List<String> = listOf(
        "CREATE TABLE IF NOT EXISTS ages (age INTEGER NOT NULL, steady INTEGER NOT NULL, boot TEXT NOT NULL, " +
            "is_boot_known INTEGER NOT NULL)",
        "CREATE TABLE IF NOT EXISTS arrivals (age INTEGER NOT NULL, last_before INTEGER NOT NULL)"
    )
}
