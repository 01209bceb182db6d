import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel

/// Builds a device's ledger snapshots from the points of the ledger metrics.
///
/// All points of one snapshot have the same time; see ``MetricName/recordsCreated``.
struct LedgerReader {
    private let database: QueryConnection
    /// The part of the ledger that each series counts.
    private let parts: [Int64: Part]

    fileprivate enum Part: Hashable {
        case created
        case delivered
        case inJournal
        case inQueue
        case notSent
        case dropped(reason: String)

        /// - Parameters:
        ///   - place: The value of `astrolabe.record.place`.
        ///   - reason: The value of `astrolabe.drop.reason`.
        init?(metric: String, place: String?, reason: String?) {
            switch metric {
            case MetricName.recordsCreated: self = .created
            case MetricName.recordsDelivered: self = .delivered
            case MetricName.recordsPending:
                switch place {
                case "journal": self = .inJournal
                case "queue": self = .inQueue
                default: return nil
                }
            case MetricName.recordsNotSent: self = .notSent
            case MetricName.recordsDropped:
                self = .dropped(reason: reason ?? "unknown")
            default: return nil
            }
        }
    }

    /// The number of series that are read, latest first. An SDK has about ten for each version of app and system.
    private static let seriesLimit = 2_000

    init(database: QueryConnection, device: String) throws {
        self.database = database
        let series = try database.rows(
            """
            SELECT e.id, e.name, \(Schema.text(AttributeKey.astrolabeRecordPlace, in: "e.attributes")),
                \(Schema.text(AttributeKey.astrolabeDropReason, in: "e.attributes"))
            FROM resources r CROSS JOIN series e ON e.resource = r.id
            WHERE \(Schema.installation(of: "r")) = ? AND e.kind = \(MetricKind.gauge.rawValue)
                AND e.name IN (?, ?, ?, ?, ?)
            ORDER BY e.last_seq DESC LIMIT \(Self.seriesLimit)
            """,
            [
                device, MetricName.recordsCreated, MetricName.recordsDelivered, MetricName.recordsPending,
                MetricName.recordsDropped, MetricName.recordsNotSent,
            ],
        )
        var parts: [Int64: Part] = [:]
        for row in series {
            let part = Part(metric: row.text(1), place: row.optionalText(2), reason: row.optionalText(3))
            if let part { parts[row.integer(0)] = part }
        }
        self.parts = parts
    }

    /// Returns the last snapshot up to `time`.
    func last(upTo time: Int64) throws -> LedgerSnapshot? {
        try edge("max", "time <= ?", [time])
    }

    /// Returns the snapshot after `start` that is nearest to `moment`. `moment` must not be before `start`.
    func nearest(to moment: Int64, after start: Int64) throws -> LedgerSnapshot? {
        let before = try edge("max", "time <= ? AND time > ?", [moment, start])
        let after = try edge("min", "time > ?", [moment])
        guard let before, let after else { return before ?? after }
        let isBeforeNearer =
            UInt64(clamping: moment) - before.timeUnixNano <= after.timeUnixNano - UInt64(clamping: moment)
        return isBeforeNearer ? before : after
    }

    /// Returns the first or last snapshot whose time meets a condition.
    private func edge(_ extreme: String, _ condition: String, _ times: [Int64]) throws -> LedgerSnapshot? {
        let sql = "SELECT \(extreme)(time) FROM points WHERE series = ? AND \(condition)"
        let found = try created.compactMap { try database.integer(sql, QueryArguments([$0] + times)) }
        guard let time = extreme == "max" ? found.max() : found.min() else { return nil }
        // Statements that do not depend on the series are prepared once for all devices.
        var snapshot = LedgerSnapshot(timeUnixNano: UInt64(clamping: time))
        for (series, part) in parts {
            let row = try database.firstRow("SELECT value FROM points WHERE series = ? AND time = ?", [series, time])
            if let count = Self.count(row?.number(0)) { snapshot.add(count, to: part) }
        }
        snapshot.sortDrops()
        return snapshot
    }

    /// Returns the last snapshot of each of `count` equal parts of the snapshots' time span, oldest first.
    func course(parts count: Int) throws -> [LedgerSnapshot] {
        let series = created.map(String.init).joined(separator: ",")
        var span: StoredRow?
        try database.prepare("SELECT min(time), max(time) FROM points WHERE series IN (\(series))").forEachRow { row in
            span = row
            return false
        }
        guard let first = span?.optionalInteger(0), let last = span?.optionalInteger(1) else { return [] }
        return try read(
            moments: """
                SELECT max(time) FROM points WHERE series IN (\(series)) GROUP BY min((time - :first) / :step, :last)
                """,
            ["first": first, "step": max(1, last.clampedDifference(first) / Int64(count)), "last": count - 1],
        )
    }

    private var created: [Int64] {
        parts.compactMap { $0.value == .created ? $0.key : nil }
    }

    /// Returns the snapshots at the times that the query `moments` selects, ordered by time.
    private func read(moments: String, _ arguments: QueryArguments) throws -> [LedgerSnapshot] {
        let series = parts.keys.map(String.init).joined(separator: ",")
        let points = try database.prepare(
            """
            WITH moments(time) AS (\(moments))
            SELECT p.time, p.series, p.value FROM moments m
            CROSS JOIN points p ON p.time = m.time AND p.series IN (\(series)) ORDER BY p.time
            """
        )
        var snapshots: [LedgerSnapshot] = []
        try points.forEachRow(arguments) { row in
            let time = row.nanoseconds(0)
            if snapshots.last?.timeUnixNano != time { snapshots.append(LedgerSnapshot(timeUnixNano: time)) }
            if let part = parts[row.integer(1)], let count = Self.count(row.number(2)) {
                snapshots[snapshots.count - 1].add(count, to: part)
            }
            return true
        }
        for index in snapshots.indices { snapshots[index].sortDrops() }
        return snapshots
    }

    /// Converts a value to a number of records; `nil` if it is not a valid number.
    private static func count(_ value: Double?) -> Int? {
        value.flatMap { Int(exactly: $0) }.flatMap { (0...1 << 53).contains($0) ? $0 : nil }
    }
}

extension LedgerSnapshot {
    fileprivate mutating func add(_ count: Int, to part: LedgerReader.Part) {
        switch part {
        case .created: created = count.clampedSum(created ?? 0)
        case .delivered: delivered = count.clampedSum(delivered ?? 0)
        case .inJournal: inJournal = count.clampedSum(inJournal ?? 0)
        case .inQueue: inQueue = count.clampedSum(inQueue ?? 0)
        case .notSent: notSent = count.clampedSum(notSent ?? 0)
        case .dropped(let reason) where count > 0: dropped.append(Drop(reason: reason, count: count))
        case .dropped: break
        }
    }

    fileprivate mutating func sortDrops() {
        dropped.sort { ($1.count, $0.reason) < ($0.count, $1.reason) }
    }
}
