/// Says how much of what phones recorded in a time has arrived by now.
///
///     let completeness = Completeness(facts, now: now)
///     completeness.bucket(from: hour, to: hour + 3_600_000_000_000)?.share
///
/// What has arrived is counted. What is missing is the larger of two numbers. One is what phones hold by their ledgers.
/// The other is what the delays of the last weeks let expect of the phones that have been silent since.
package struct Completeness: Sendable {
    private let now: Int64
    private let first: Int64
    private let arrived: RunningSum
    private let missing: RunningSum
    private let expected: RunningSum
    private let held: RunningSum
    private let dropped: RunningSum
    /// Of phones that have reported after their first hour, in order.
    private let firstReports: [Int64]
    private let lastReports: [Int64]
    /// The bounds of what phones hold, in order.
    private let heldFrom: [Int64]
    private let heldTo: [Int64]

    /// The nanoseconds after which a phone that says nothing is no longer expected: two weeks.
    private static let longestSilence: Int64 = 14 * 86_400_000_000_000
    /// The nanoseconds before the present in which a time has not ended for phones either: one minute.
    private static let present: Int64 = 60_000_000_000
    /// The share from which on nothing is missing.
    private static let whole = 0.9995

    /// - Parameter now: Nanoseconds since 1970, by the console's clock.
    package init(_ facts: ArrivalFacts, now: Int64) {
        let history = ArrivalHistory(facts, now: now)
        self.now = now
        first = history.first
        let last = history.first + Int64(history.count) - 1
        let elapsed = Double(now - last * ArrivalFacts.slot) / Double(ArrivalFacts.slot)
        func sum(_ values: [Double]) -> RunningSum { RunningSum(values, lastLength: elapsed) }
        arrived = sum(history.arrived)
        missing = sum(history.missing)
        expected = sum(history.expected)
        let none = Array(repeating: 0.0, count: history.count)
        var (dropped, held) = (none, none)
        for drop in facts.drops where drop.slot >= history.first && drop.slot <= last {
            dropped[Int(drop.slot - history.first)] += Double(drop.records)
        }
        let holding = facts.phones.filter { $0.held > 0 }
        for phone in holding {
            // Spread over the time in which they were recorded.
            let from = min(max(phone.heldFrom / ArrivalFacts.slot, history.first), last)
            let to = min(max(phone.heldTo / ArrivalFacts.slot, from), last)
            for slot in from...to { held[Int(slot - history.first)] += Double(phone.held) / Double(to - from + 1) }
        }
        self.dropped = sum(dropped)
        self.held = sum(held)
        let known = facts.phones.filter(\.isKnown)
        firstReports = known.map(\.firstReport).sorted()
        lastReports = known.map(\.lastReport).sorted()
        heldFrom = holding.map(\.heldFrom).sorted()
        heldTo = holding.map(\.heldTo).sorted()
    }

    /// Returns the completeness of a time.
    ///
    /// - Parameters: Nanoseconds since 1970.
    /// - Returns: `nil` for a time in the future, or one before anything is known.
    package func bucket(from start: Int64, to end: Int64) -> BucketCompleteness? {
        let isRunning = end > now - Self.present
        let (from, to) = (max(start, first * ArrivalFacts.slot), min(end, now))
        guard from < to else { return nil }
        func sum(_ sums: RunningSum) -> Double { sums.sum(to: place(to)) - sums.sum(to: place(from)) }
        // Phones report within a running time, not after it.
        let (silent, known) = phones(silentSince: isRunning ? from : to)
        let here = sum(arrived)
        let pending = sum(held)
        let usual = known > 0 ? sum(expected) * Double(silent) / Double(known) : 0
        let estimate = min(sum(missing), usual)
        let lacking = max(pending, estimate)
        let share = here + lacking < 0.5 ? 1 : here / (here + lacking)
        let isWhole = share >= Self.whole
        return BucketCompleteness(
            start: from, end: to, share: isWhole ? 1 : share, isEstimated: !isWhole && estimate > pending,
            isRunning: isRunning, pending: Int(pending.rounded()), holding: holding(from: from, to: to),
            dropped: Int(sum(dropped).rounded()), silent: silent, active: nil, reported: nil)
    }

    /// Returns the completeness of a time as a whole, and of each of the steps with these bounds.
    ///
    /// - Parameter active: The phones of each hour of the time, as far as they are wanted.
    package func window(
        from start: Int64, to end: Int64, steps: [(start: Int64, end: Int64)], active: [ActivePhone],
    ) -> WindowCompleteness? {
        func counted(_ bucket: BucketCompleteness?) -> BucketCompleteness? {
            bucket.map { bucket in
                var bucket = bucket
                if !bucket.isComplete, !active.isEmpty { bucket.count(active) }
                return bucket
            }
        }
        guard let total = counted(bucket(from: start, to: end)) else { return nil }
        return WindowCompleteness(total: total, steps: steps.map { counted(bucket(from: $0.start, to: $0.end)) })
    }

    /// A time as a number of slots since the first.
    private func place(_ time: Int64) -> Double {
        Double(time - first * ArrivalFacts.slot) / Double(ArrivalFacts.slot)
    }

    /// Returns how many phones have been silent since a time, and how many were known then.
    private func phones(silentSince time: Int64) -> (silent: Int, known: Int) {
        let earlier = lastReports.countBelow(time)
        let silent = earlier - lastReports.countBelow(time.clampedDifference(Self.longestSilence))
        let since = lastReports.count - earlier
        let new = firstReports.count - firstReports.countBelow(time)
        return (silent, silent + max(since - new, 0))
    }

    private func holding(from start: Int64, to end: Int64) -> Int {
        max(heldFrom.countBelow(end) - heldTo.countBelow(start), 0)
    }
}

extension BucketCompleteness {
    /// Counts the phones of its hours.
    ///
    /// - Parameter phones: In the order of their hours.
    fileprivate mutating func count(_ phones: [ActivePhone]) {
        let hour: Int64 = 3_600_000_000_000
        let hours = start / hour...(end - 1) / hour
        guard let first = phones.first?.hour, first <= hours.lowerBound else { return }
        let since = isRunning ? start : end
        var (low, high) = (0, phones.count)
        while low < high {
            let middle = (low + high) / 2
            if phones[middle].hour < hours.lowerBound { low = middle + 1 } else { high = middle }
        }
        var (all, told) = (Set<Int64>(), 0)
        for phone in phones[low...] {
            guard hours.contains(phone.hour) else { break }
            if all.insert(phone.phone).inserted, phone.lastReport >= since { told += 1 }
        }
        (active, reported) = (all.count, told)
    }
}

/// The sums of the first values of a list. Between two values they grow evenly.
private struct RunningSum: Sendable {
    private let sums: [Double]
    /// The part of the last value's slot that has passed, more than 0.
    private let lastLength: Double

    init(_ values: [Double], lastLength: Double) {
        self.lastLength = max(lastLength, 1e-9)
        var sums = [0.0]
        sums.reserveCapacity(values.count + 1)
        for value in values { sums.append((sums.last ?? 0) + value) }
        self.sums = sums
    }

    /// Returns the sum up to a place, of which the whole part is a number of values.
    func sum(to place: Double) -> Double {
        let last = sums.count - 1
        let whole = min(max(Int(place), 0), last)
        guard whole < last else { return sums[last] }
        let length = whole == last - 1 ? lastLength : 1
        let part = min(max((place - Double(whole)) / length, 0), 1)
        return sums[whole] + (sums[whole + 1] - sums[whole]) * part
    }
}

extension [Int64] {
    /// The number of elements of a sorted list that are less than a value.
    fileprivate func countBelow(_ value: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
