import AstrolabePlatform
import CAstrolabeChecksum

#if canImport(SQLite3)
import SQLite3
#else
import CAstrolabeSQLite
#endif

/// One open database: its connection, its owner, and its transactions. Not safe for concurrent use.
final class QueueStore {
    let database: SQLiteDatabase
    let configuration: QueueConfiguration
    let clock: QueueClock
    private let owner: QueueOwner
    private let timeout: LockTimeout
    private let witness: QueueWitness
    private let path: String
    /// The file that was opened; `nil` if the system does not say which it is.
    private let identity: FileIdentity?
    private(set) var ownerID: Int64 = 0
    /// Records that were in the queue and were found to be missing when it was opened.
    private(set) var lost = 0
    private var dropped: [QueueDrop: Int] = [:]
    /// The earliest and the latest time of the records that this process has dropped by age.
    var expiredTimes: ClosedRange<UInt64>?
    /// The ages as this process wrote them last; `nil` before it has.
    var writtenAges: QueueAges?
    var ownerName: String { owner.name }
    /// The current durability of commits; `nil` before the first.
    private var durability: QueueConfiguration.Durability?

    /// Opens the file, creates missing tables, and ends the leases of dead owners.
    init(
        path: String, configuration: QueueConfiguration, clock: QueueClock, ids: IDGenerator, timeout: LockTimeout,
    ) throws(QueueError) {
        self.configuration = configuration
        self.clock = clock
        self.timeout = timeout
        witness = QueueWitness(of: path)
        self.path = path
        let size: Int
        do throws(SystemError) {
            if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
                try PrivateFiles.makeDirectory(String(path[..<slash]))
            }
            // SQLite gives its side files the permissions of the database file, so this file is created first.
            let file = try PrivateFile(path)
            size = file.size
            identity = file.identity
            owner = try QueueOwner(of: path, ids: ids)
        } catch {
            throw QueueError(error)
        }
        // SQLite would treat a truncated header as an empty file.
        if 1..<512 ~= size {
            throw QueueError(.corrupt, "the queue at \(path) is truncated to \(size) bytes; expected at least 512")
        }
        do throws(SQLiteFailure) {
            database = try SQLiteDatabase(path: path, timeout: timeout)
        } catch {
            throw QueueError(error)
        }
        try prepare(path, ids)
    }

    private func prepare(_ path: String, _ ids: IDGenerator) throws(QueueError) {
        let stamp = try query { () throws(SQLiteFailure) in try database.number("PRAGMA user_version") }
        guard let found = QueueSchema.version(of: stamp) else {
            throw QueueError(.corrupt, "the queue at \(path) has the invalid version number \(stamp)")
        }
        guard found <= QueueSchema.version else {
            throw QueueError(
                .newerSchema,
                "the queue at \(path) has schema \(found); expected at most \(QueueSchema.version). Update the app.",
            )
        }
        let (mode, check) = try query { () throws(SQLiteFailure) in
            try applySettings()
            return (try database.text("PRAGMA journal_mode"), try database.text("PRAGMA quick_check(1)"))
        }
        guard mode == "wal" else {
            throw QueueError(
                .readOnly, "the queue at \(path) has journal mode \(mode); expected wal. Make the directory writable.",
            )
        }
        guard check == "ok" else { throw QueueError(.corrupt, "the queue at \(path) is damaged: \(check)") }
        try transaction { tally throws(SQLiteFailure) in
            let isNew = try database.number("PRAGMA user_version") == 0
            if isNew {
                try database.execute(QueueSchema.tables)
                // A random start: if this file replaces a damaged one, ids still in use must not be assigned again.
                let first = Int64(truncatingIfNeeded: ids.next64() >> 16)
                try database.statement("INSERT INTO ids VALUES (?1)").bind(1, first).run()
            }
            try checkTables()
            try endLeasesOfDeadOwners(path)
            try audit(&tally)
            try countLostTransactions()
            try database.statement("INSERT INTO owners (name) VALUES (?1)").bind(1, owner.name).run()
            ownerID = database.lastInsertedRow
        }
    }

    /// True if the path still names the file that was opened. No one else finds what is stored in it otherwise.
    var isInPlace: Bool { identity == nil || PrivateFiles.identity(of: path) == identity }

    /// Returns the records dropped by the transactions since the last call, by reason.
    func takeDropped() -> [QueueDrop: Int] {
        defer { dropped = [:] }
        return dropped
    }

    /// Notes records that are missing.
    func noteLost(_ count: Int) { lost += count }

    /// Applies the settings of a connection.
    ///
    /// Connections that create a file at the same time would wait for each other, so SQLite fails at once instead of
    /// calling the busy handler. The settings may be applied again.
    private func applySettings() throws(SQLiteFailure) {
        var attempt: Int32 = 0
        while true {
            do throws(SQLiteFailure) {
                return try database.execute(QueueSchema.settings(configuration))
            } catch {
                guard error.code == SQLITE_BUSY, timeout.wait(attempt: attempt) else { throw error }
                attempt += 1
            }
        }
    }

    /// Runs the first query on a newly opened file. If SQLite reports it as read-only or of unknown format, its header
    /// is damaged.
    private func query<Result>(_ body: () throws(SQLiteFailure) -> Result) throws(QueueError) -> Result {
        do {
            return try body()
        } catch {
            throw [SQLITE_READONLY, SQLITE_ERROR].contains(error.code)
                ? QueueError(.corrupt, error.description) : QueueError(error)
        }
    }

    /// Counts the records of transactions that are no longer in the file: its log was damaged, it was removed, or an
    /// older copy has replaced it.
    ///
    /// Older records leave first. So those that were still in the queue are lost, and the others had left it before.
    private func countLostTransactions() throws(SQLiteFailure) {
        guard let seen = witness.read() else { return }
        let missing = min(seen.enqueued, QueueCounter.greatest) - (try counts().enqueued)
        guard missing > 0 else { return }
        let lost = min(missing, max(seen.enqueued - seen.left, 0))
        try add(missing, to: QueueCounter.enqueued)
        if lost > 0 { try add(lost, to: QueueDrop.corrupt.rawValue) }
        if missing > lost { try add(missing - lost, to: QueueCounter.acknowledged) }
        noteLost(lost)
    }

    private func counts() throws(SQLiteFailure) -> QueueWitness.Counts {
        let counters = try counters()
        let left = QueueDrop.allCases.reduce(counters[QueueCounter.acknowledged] ?? 0) {
            $0 + (counters[$1.rawValue] ?? 0)
        }
        return QueueWitness.Counts(enqueued: counters[QueueCounter.enqueued] ?? 0, left: left)
    }

    private func endLeasesOfDeadOwners(_ path: String) throws(SQLiteFailure) {
        let select = try database.statement("SELECT id, name FROM owners")
        var known: [(id: Int64, name: String)] = []
        while try select.step() { known.append((select.int(0), select.text(1))) }
        select.reset()
        for (id, name) in known where QueueOwner.isDead(name, of: path) {
            try database.statement("DELETE FROM leases WHERE owner = ?1").bind(1, id).run()
            try database.statement("DELETE FROM owners WHERE id = ?1").bind(1, id).run()
        }
        let names = Set(known.map(\.name))
        for name in QueueOwner.all(of: path) where name != owner.name && !names.contains(name) {
            _ = QueueOwner.isDead(name, of: path)
        }
    }

    /// Releases this owner's leases when it closes.
    func retire() throws(QueueError) {
        try transaction { _ throws(SQLiteFailure) in
            try database.statement("DELETE FROM leases WHERE owner = ?1").bind(1, ownerID).run()
            try database.statement("DELETE FROM owners WHERE id = ?1").bind(1, ownerID).run()
        }
    }

    /// Runs `body` in one transaction, committed with its tally, or rolled back on any failure.
    ///
    /// - Parameter durability: What the commit must survive. Default the configuration's.
    func transaction<Result>(
        surviving durability: QueueConfiguration.Durability? = nil,
        _ body: (inout QueueTally) throws(SQLiteFailure) -> Result,
    ) throws(QueueError) -> Result {
        do throws(SQLiteFailure) {
            let needed = durability ?? configuration.durability
            if self.durability != needed {
                try database.execute(QueueSchema.synchronous(needed))
                self.durability = needed
            }
            try database.execute("BEGIN IMMEDIATE")
            timeout.succeeded()
            var tally = QueueTally()
            let result = try body(&tally)
            try write(tally)
            let counts = tally.counters.isEmpty ? nil : try counts()
            try database.execute("COMMIT")
            if let counts { witness.write(counts) }
            dropped.merge(tally.dropped, uniquingKeysWith: +)
            return result
        } catch {
            // Some failures have already rolled back. If this rollback fails too, closing the connection rolls back.
            if database.isInTransaction { try? database.execute("ROLLBACK") }
            writtenAges = nil
            throw QueueError(error)
        }
    }

    private func write(_ tally: QueueTally) throws(SQLiteFailure) {
        try writeSums(tally)
        for (name, difference) in tally.counters where difference != 0 { try add(difference, to: name) }
    }

    /// Updates the sums to match the rows.
    private func writeSums(_ tally: QueueTally) throws(SQLiteFailure) {
        let totals = try database.statement(
            """
            INSERT INTO totals VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET records = records + excluded.records, bytes = bytes + excluded.bytes
            """)
        for (group, sum) in tally.groups where sum != QueueTally.Sum() {
            try totals.bind(1, Int64(group.kind)).bind(2, Int64(group.priority)).bind(3, Int64(sum.records))
                .bind(4, Int64(sum.bytes)).run()
        }
        guard !tally.headers.isEmpty else { return }
        let headers = try database.statement("UPDATE headers SET records = records + ?2 WHERE id = ?1")
        for (id, difference) in tally.headers where difference != 0 {
            try headers.bind(1, id).bind(2, Int64(difference)).run()
        }
        try database.statement("DELETE FROM headers WHERE records = 0").run()
    }

    func add(_ difference: Int, to counter: String) throws(SQLiteFailure) {
        try database.statement(
            "INSERT INTO ledger VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = value + excluded.value"
        ).bind(1, counter).bind(2, Int64(difference)).run()
    }

    /// Applies the caller's changes.
    func apply(_ change: QueueChange) throws(SQLiteFailure) {
        for (name, difference) in change.counters where difference != 0 { try add(difference, to: name) }
        for (name, value) in change.marks {
            try database.statement("INSERT OR REPLACE INTO marks VALUES (?1, ?2)").bind(1, name).bind(2, value).run()
        }
        for name in change.removedMarks {
            try database.statement("DELETE FROM marks WHERE name = ?1").bind(1, name).run()
        }
    }

    /// Removes records with their leases, counts them under `counter`, and returns how many there were.
    @discardableResult
    func remove(
        _ ids: some Collection<Int64>, as counter: String, _ tally: inout QueueTally,
    ) throws(SQLiteFailure) -> Int {
        guard !ids.isEmpty else { return 0 }
        let list = Self.list(ids)
        let select = try database.statement(
            """
            SELECT kind, priority, header, count(*), sum(length(payload)) FROM records
            WHERE id IN (SELECT value FROM json_each(?1)) GROUP BY kind, priority, header
            """)
        try select.bind(1, list)
        var count = 0
        while try select.step() {
            let group = QueueTally.Group(
                kind: UInt8(truncatingIfNeeded: select.int(0)), priority: UInt8(truncatingIfNeeded: select.int(1)),
            )
            let sum = QueueTally.Sum(records: Int(select.int(3)), bytes: Int(select.int(4)))
            tally.leave(sum, of: group, header: select.int(2), as: counter)
            count += sum.records
        }
        select.reset()
        try database.statement("DELETE FROM records WHERE id IN (SELECT value FROM json_each(?1))").bind(1, list).run()
        try database.statement("DELETE FROM leases WHERE record IN (SELECT value FROM json_each(?1))").bind(1, list)
            .run()
        return count
    }

    /// Returns ids as a JSON array, which one bound value can carry.
    static func list(_ ids: some Collection<Int64>) -> String {
        "[" + ids.lazy.map(String.init).joined(separator: ",") + "]"
    }

    /// Returns the checksum of a record's row.
    static func checksum(
        kind: UInt8, priority: UInt8, time: UInt64, header: Int64, _ payload: UnsafeRawBufferPointer,
    ) -> Int64 {
        let labels = UInt64(kind) | UInt64(priority) << 8
        let words = (labels, time, UInt64(bitPattern: header))
        return Int64(astrolabe_crc32c_record(words.0, words.1, words.2, payload.baseAddress, payload.count))
    }

    /// Returns the checksum of a header's row.
    static func checksum(_ header: [UInt8]) -> Int64 {
        Int64(header.withUnsafeBytes { astrolabe_crc32c(0, $0.baseAddress, $0.count) })
    }
}
