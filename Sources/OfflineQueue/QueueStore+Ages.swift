extension QueueStore {
    private static let mark = "queue.ages"
    /// Nanoseconds after which the ages are written, so that little is lost with the boot.
    private static let writeInterval: UInt64 = 60_000_000_000

    /// Nanoseconds in which arrivals count as one: an hour of seven days.
    private var arrivalInterval: UInt64 { max(configuration.maximumAge / 168, 1) }

    private var reading: QueueAges.Reading { QueueAges.Reading(clock, process: ownerName) }

    /// Notes when records arrive.
    ///
    /// - Parameter id: The last id before theirs.
    func noteArrival(after id: Int64) throws(SQLiteFailure) {
        guard try currentAges().isApart(arrivalInterval) else { return }
        var ages = try storedAges()
        if ages.isApart(arrivalInterval) { ages.addArrival(after: id) }
        try write(ages)
    }

    /// Drops records that have waited too long, except leased ones.
    func dropExpired(_ tally: inout QueueTally) throws(SQLiteFailure) {
        guard try currentAges().lastExpired(configuration.maximumAge) != nil else { return }
        // Another process may have noted later arrivals.
        var ages = try storedAges()
        guard let last = ages.lastExpired(configuration.maximumAge) else { return try write(ages) }
        let select = try database.statement(
            """
            SELECT id FROM records WHERE id <= ?1 AND NOT EXISTS (SELECT 1 FROM leases WHERE record = records.id)
            """)
        try select.bind(1, last)
        let expired = try ids(of: select)
        try noteTimes(of: expired)
        try remove(expired, as: QueueDrop.expired.rawValue, &tally)
        let left = try database.statement("SELECT 1 FROM records WHERE id <= ?1 LIMIT 1")
        let hasLeased = try left.bind(1, last).step()
        left.reset()
        guard !hasLeased else { return }
        ages.forgetExpired(configuration.maximumAge)
        try write(ages)
    }

    private func noteTimes(of ids: [Int64]) throws(SQLiteFailure) {
        guard !ids.isEmpty else { return }
        let select = try database.statement(
            "SELECT min(time), max(time) FROM records WHERE id IN (SELECT value FROM json_each(?1))")
        defer { select.reset() }
        guard try select.bind(1, Self.list(ids)).step() else { return }
        let (first, last) = (UInt64(clamping: select.int(0)), UInt64(clamping: select.int(1)))
        // The time of a damaged row may be no number, which is the largest and is read as 0.
        let known = expiredTimes ?? first...max(first, last)
        expiredTimes = min(first, known.lowerBound)...max(last, known.upperBound)
    }

    /// The ages now, as far as this process knows the arrivals.
    private func currentAges() throws(SQLiteFailure) -> QueueAges {
        let now = reading
        if var ages = writtenAges, now.certain(since: ages.reading) < Self.writeInterval {
            ages.advance(to: now)
            return ages
        }
        let ages = try storedAges()
        try write(ages)
        return ages
    }

    private func storedAges() throws(SQLiteFailure) -> QueueAges {
        let select = try database.statement("SELECT value FROM marks WHERE name = ?1")
        defer { select.reset() }
        if try select.bind(1, Self.mark).step(), var ages = QueueAges(select.bytes(0)) {
            ages.advance(to: reading)
            return ages
        }
        // A file of an earlier version, or a damaged mark.
        return QueueAges(at: reading, hasRecords: try database.number("SELECT EXISTS (SELECT 1 FROM records)") == 1)
    }

    private func write(_ ages: QueueAges) throws(SQLiteFailure) {
        writtenAges = ages
        try apply(QueueChange(marks: [Self.mark: ages.bytes]))
    }

    /// Removes the ages that a damaged file had. The ids of the file that replaces it begin elsewhere.
    static func withoutAges(_ marks: [String: [UInt8]]) -> [String: [UInt8]] { marks.filter { $0.key != mark } }
}
