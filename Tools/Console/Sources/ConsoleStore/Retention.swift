package import ConsoleModel
import GRDB

extension SQLiteStore {
    /// The number of sequence numbers that one transaction removes.
    ///
    /// One transaction takes about 10 ms. Then waiting commits can run.
    private static let stride: Int64 = 2_000

    /// The share of the size limit that is kept after eviction, so that not every commit must evict.
    private static let keptShare = 0.9

    /// Removes expired records and then, while the file exceeds its size limit, the oldest records.
    ///
    /// Call it periodically. A server can use `retentionInterval`.
    @discardableResult
    package func applyRetention() async throws(StoreError) -> RetentionReport {
        var report = RetentionReport()
        report.storedBefore = Int(clamping: try await read { try $0.sequenceCount() })
        let (age, doubt) = try await updateAge()
        report.clockDoubt = doubt.map { .nanoseconds($0) }
        let oldest = Double(age) - max(configuration.retention.age, .zero) / .nanoseconds(1)
        if oldest > 0, doubt == nil {
            let minute = Int64(clamping: oldest / 60e9)
            while true {
                let removed = try await maintain { try $0.removeExpired(before: minute, stride: Self.stride) }
                guard let removed else { break }
                report.expiredRecords += removed.count
                report.add(removed.minutes)
            }
        }
        let limit = Int64(configuration.retention.bytes)
        if try await read({ try $0.usedBytes() > limit }) {
            let target = Int64(Double(limit) * Self.keptShare)
            while true {
                let removed = try await maintain { try $0.removeOldest(untilBelow: target, stride: Self.stride) }
                guard let removed else { break }
                report.evictedRecords += removed.count
                report.add(removed.minutes)
            }
        }
        try await maintain { try $0.returnFreePages() }
        return report
    }
}

extension RetentionReport {
    fileprivate mutating func add(_ more: ClosedRange<Int64>?) {
        guard let more else { return }
        minutes = minutes.map { min($0.lowerBound, more.lowerBound)...max($0.upperBound, more.upperBound) } ?? more
    }
}

/// The records that one transaction removed.
private struct Removal: Sendable {
    var count = 0
    /// The minutes of arrival, by the wall clock.
    var minutes: ClosedRange<Int64>?
    var isFinished = false
}

extension QueryConnection {
    fileprivate func oldestSeq() throws -> Int64? {
        try integer(
            """
            SELECT min(seq) FROM (SELECT min(seq) AS seq FROM spans UNION ALL SELECT min(seq) FROM logs
                UNION ALL SELECT min(seq) FROM points UNION ALL SELECT min(seq) FROM replays)
            """
        )
    }

    fileprivate func sequenceCount() throws -> Int64 {
        guard let oldest = try oldestSeq() else { return 0 }
        return max(try lastSeq() - oldest + 1, 0)
    }
}

extension Database {
    /// Queries on this connection.
    private var queries: QueryConnection { QueryConnection(self) }

    /// Removes one batch of records that arrived before `minute` of the age clock; returns `nil` if there are none.
    fileprivate func removeExpired(before minute: Int64, stride: Int64) throws -> Removal? {
        let last = try queries.integer("SELECT max(last_seq) FROM arrivals WHERE age < ?", [minute])
        guard let last else { return nil }
        let removed = try remove(through: last, stride: stride, counter: "expired")
        if removed.isFinished {
            try execute(sql: "DELETE FROM arrivals WHERE last_seq <= ?", arguments: [last])
        }
        return removed
    }

    /// Removes one batch of the oldest records, or fewer if that is enough.
    ///
    /// Returns `nil` if the file has no more than `target` bytes or no records.
    fileprivate func removeOldest(untilBelow target: Int64, stride: Int64) throws -> Removal? {
        let used = try queries.usedBytes()
        guard used > target, let oldest = try queries.oldestSeq() else { return nil }
        let last = try queries.lastSeq()
        let share = Double(used - target) / Double(used)
        let needed = Int64(clamping: (Double(last - oldest + 1) * share).rounded(.up))
        return try remove(through: last, stride: min(stride, needed), counter: "evicted")
    }

    /// - Parameter counter: The name of the fact that counts what is removed for this reason.
    private func remove(through last: Int64, stride: Int64, counter: String) throws -> Removal {
        let oldest = try queries.oldestSeq()
        let bound = min(last, (oldest ?? last) + stride - 1)
        var removal = Removal(isFinished: bound == last)
        try inTransaction(.immediate) {
            if let oldest, oldest <= bound { removal.minutes = try minutes(from: oldest, through: bound) }
            for table in ["spans", "logs", "points", "replays"] {
                try execute(sql: "DELETE FROM \(table) WHERE seq <= ?", arguments: [bound])
                removal.count += changesCount
            }
            try count(removal.count, as: counter)
            for table in ["problems", "milestones"] {
                try execute(sql: "DELETE FROM \(table) WHERE seq <= ?", arguments: [bound])
            }
            try execute(sql: "DELETE FROM sealed WHERE start <= ?", arguments: [bound])
            try removeSums(through: bound)
            try removePhones(through: bound)
            try execute(sql: "INSERT OR REPLACE INTO facts VALUES ('trimmed_through', ?)", arguments: [bound])
            return .commit
        }
        return removal
    }

    /// Returns the earliest and the latest minute of the wall clock in which the records of a range arrived.
    private func minutes(from first: Int64, through last: Int64) throws -> ClosedRange<Int64>? {
        let row = try queries.firstRow(
            """
            SELECT min(minute), max(minute) FROM arrivals WHERE last_seq >= ? AND last_seq <= ifnull(
                (SELECT min(last_seq) FROM arrivals WHERE last_seq >= ?), ?)
            """,
            [first, last, last],
        )
        guard let first = row?.optionalInteger(0), let last = row?.optionalInteger(1), first <= last else { return nil }
        return first...last
    }

    /// Adds a number to a fact.
    private func count(_ number: Int, as name: String) throws {
        try execute(
            sql: "INSERT INTO facts VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = value + ?2",
            arguments: [name, number])
    }

    /// Removes traces, sessions and other rows that nothing refers to.
    ///
    /// A row can be removed if it was created and last used before `bound`.
    private func removeSums(through bound: Int64) throws {
        let gone = "id <= :bound AND last_seq <= :bound"
        let arguments: StatementArguments = ["bound": bound]
        try execute(
            sql: "DELETE FROM session_traces WHERE trace IN (SELECT id FROM traces WHERE \(gone))",
            arguments: arguments,
        )
        try execute(sql: "DELETE FROM traces WHERE \(gone)", arguments: arguments)
        for table in ["session_traces", "session_screens", "session_triggers", "session_activity"] {
            try execute(
                sql: "DELETE FROM \(table) WHERE session IN (SELECT id FROM sessions WHERE \(gone))",
                arguments: arguments,
            )
        }
        for table in ["sessions", "series", "scopes"] {
            try execute(sql: "DELETE FROM \(table) WHERE \(gone)", arguments: arguments)
        }
        // A session that continues in the backend keeps the device it started on.
        let goneResources = "\(gone) AND id NOT IN (SELECT resource FROM sessions)"
        let received = try queries.integer(
            "SELECT sum(spans + logs + points + replays) FROM resources WHERE \(goneResources)", ["bound": bound],
        )
        try count(Int(received ?? 0), as: "received_of_removed_resources")
        try execute(sql: "DELETE FROM resources WHERE \(goneResources)", arguments: arguments)
        try chooseNewLeads(through: bound)
    }

    /// Removes phones without a record, the hours from before the first arrival that is left, and old slots.
    private func removePhones(through bound: Int64) throws {
        let arguments: StatementArguments = ["bound": bound]
        try execute(sql: "DELETE FROM phones WHERE last_seq <= :bound", arguments: arguments)
        if changesCount > 0 {
            try execute(sql: "DELETE FROM phone_hours WHERE phone NOT IN (SELECT id FROM phones)")
        }
        try execute(
            sql: """
                DELETE FROM phone_hours
                WHERE hour < (SELECT min(minute) / 60 FROM arrivals WHERE last_seq > :bound)
                """,
            arguments: arguments,
        )
        // Slots name no phone, so they stay as long as delays are learned from them.
        let oldest = "(SELECT max(minute) / 15 - \(ArrivalFacts.slotLimit) FROM arrivals)"
        for table in ["phone_arrivals", "phone_drops"] {
            try execute(sql: "DELETE FROM \(table) WHERE slot < \(oldest)")
        }
    }

    /// Chooses a new representative span for traces that lost theirs.
    private func chooseNewLeads(through bound: Int64) throws {
        let traces = try queries.rows(
            "SELECT id FROM traces WHERE id <= :bound AND lead_seq > 0 AND lead_seq <= :bound", ["bound": bound],
        )
        for trace in traces.map({ $0.integer(0) }) {
            try execute(
                sql: """
                    UPDATE traces SET (lead_rank, lead_start, lead_span, lead_seq) = (
                        SELECT ifnull(min(parent <> 0), 2), ifnull(start, \(Schema.never)), ifnull(span, 0),
                            ifnull(seq, 0)
                        FROM (SELECT parent, start, span, seq FROM spans WHERE trace = :trace
                            ORDER BY parent <> 0, start, span LIMIT 1))
                    WHERE id = :trace
                    """,
                arguments: ["trace": trace],
            )
        }
    }

    /// Returns free pages to the file system, at most 8 MiB at a time.
    fileprivate func returnFreePages() throws {
        try execute(sql: "PRAGMA incremental_vacuum(1024)")
    }
}
