/// The delays and the usual number of records, learned from the last weeks, by slot.
///
/// Delays are counted in slots in which the console received: those of an outage do not count, because nothing could
/// arrive. So an hour within an outage is as new as the present.
struct ArrivalHistory {
    /// The first slot, since 1970. The last one is that of the present.
    let first: Int64
    let count: Int
    /// All records of a slot that have arrived.
    private(set) var arrived: [Double]
    /// Those that will probably arrive still.
    private(set) var missing: [Double]
    /// Those that are usual for the time of day, whether they have arrived or not.
    private(set) var expected: [Double]
    /// Those of phones that are known for long enough to learn from.
    private var evidence: [Double]
    /// The number of slots before each one in which the console received.
    private var exposure: [Int]
    /// The first slot in which the console received.
    private var begin: Int

    /// The weight of the whole day's delays in those of an hour of the day, in records.
    private static let priorRecords = 500.0
    /// The weight of no delay, in records: a few late records say little.
    private static let priorPromptRecords = 5_000.0
    /// The weight of the earlier days in the amount of the last hours, in records.
    private static let priorTrend = 500.0
    /// The number of slots before and after one that say whether a day is busier than others: 3 hours.
    private static let trendSlots = 12
    private static let slotsPerDay = 96

    /// - Parameter now: Nanoseconds since 1970.
    init(_ facts: ArrivalFacts, now: Int64) {
        let last = max(0, now / ArrivalFacts.slot)
        let oldest = max(0, last - ArrivalFacts.slotLimit)
        let start = facts.cells.lazy.map { min($0.slot, $0.arrival) }.min() ?? last
        first = min(max(start, oldest), last)
        count = Int(last - first) + 1
        let empty = Array(repeating: 0.0, count: count)
        (arrived, missing, expected, evidence) = (empty, empty, empty, empty)
        (exposure, begin) = ([], 0)
        receive(facts.cells)
        let shares = ReportedShares(delays(of: facts.cells), prior: Self.priorRecords, prompt: Self.priorPromptRecords)
        // Of the present slot only a part has passed.
        let elapsed = min(max(Double(now - last * ArrivalFacts.slot) / Double(ArrivalFacts.slot), 0), 1)
        let present = exposure[count] - exposure[count - 1]
        let reported = (0..<count).map { slot in
            let slots = exposure[count] - exposure[slot]
            let before = shares.share(hour: hour(slot), after: slots - present)
            return before + (shares.share(hour: hour(slot), after: slots) - before) * elapsed
        }
        expect(reported)
        expected[count - 1] *= elapsed
        for slot in 0..<count { missing[slot] = expected[slot] * (1 - reported[slot]) }
    }

    /// Returns the place of a slot; `nil` if it is before the first or in the future.
    private func index(_ slot: Int64) -> Int? {
        let index = slot - first
        return index >= 0 && index < Int64(count) ? Int(index) : nil
    }

    private func hour(_ index: Int) -> Int { Int((first + Int64(index)) / 4 % 24) }

    /// Sums what arrived, and finds the slots in which nothing could.
    private mutating func receive(_ cells: [ArrivalFacts.Cell]) {
        var received = Array(repeating: 0.0, count: count)
        for cell in cells {
            if let slot = index(cell.slot) {
                arrived[slot] += Double(cell.records)
                if cell.isEvidence { evidence[slot] += Double(cell.records) }
            }
            if let arrival = index(cell.arrival) { received[arrival] += Double(cell.records) }
        }
        begin = received.firstIndex { $0 > 0 } ?? count - 1
        let outages = ConsoleOutages(received: received, begin: begin)
        exposure = [0]
        exposure.reserveCapacity(count + 1)
        for slot in 0..<count { exposure.append(exposure[slot] + (outages.isDown[slot] ? 0 : 1)) }
    }

    /// Counts the records of evidence by hour of the day, and by delay.
    private func delays(of cells: [ArrivalFacts.Cell]) -> ReportedShares.Delays {
        var delays = ReportedShares.Delays(longest: max(exposure[count], 1))
        for cell in cells where cell.isEvidence {
            guard let slot = index(cell.slot), let arrival = index(max(cell.arrival, cell.slot)) else { continue }
            delays.add(
                Double(cell.records), hour: hour(slot), delay: max(exposure[arrival + 1] - exposure[slot], 1),
                observed: max(exposure[count] - exposure[slot], 1))
        }
        return delays
    }

    /// Says how many records each slot will have, from the same time on earlier days, and from how busy the hours
    /// around it are.
    ///
    /// - Parameter reported: The share of each slot's records that has arrived by now.
    private mutating func expect(_ reported: [Double]) {
        for slot in 0..<count { expected[slot] = usual(slot, reported) }
        var (seen, due) = ([0.0], [0.0])
        for slot in 0..<count {
            // The present slot has just begun.
            let counts = slot >= begin && slot < count - 1
            seen.append(seen[slot] + (counts ? evidence[slot] : 0))
            due.append(due[slot] + (counts ? expected[slot] * reported[slot] : 0))
        }
        for slot in 0..<count {
            let (from, to) = (max(slot - Self.trendSlots, 0), min(slot + Self.trendSlots + 1, count))
            expected[slot] *= (seen[to] - seen[from] + Self.priorTrend) / (due[to] - due[from] + Self.priorTrend)
        }
    }

    /// Returns the mean of the same time on earlier days, of which the same day of the week counts most.
    private func usual(_ slot: Int, _ reported: [Double]) -> Double {
        var (records, weight) = (0.0, 0.0)
        for day in 1...20 {
            let middle = slot - day * Self.slotsPerDay
            guard middle >= begin else { break }
            for near in max(middle - 1, begin)...(middle + 1) {
                let factor = day.isMultiple(of: 7) ? 3.0 : 1
                records += factor * evidence[near]
                weight += factor * reported[near]
            }
        }
        if weight > 0.5 { return records / weight }
        return evidence[slot] / max(reported[slot], 0.05)
    }
}

/// The slots in which the console received next to nothing of what is usual.
private struct ConsoleOutages {
    private(set) var isDown: [Bool]

    /// The number of records in a slot below which a missing one says nothing.
    private static let leastUsual = 500.0
    private static let share = 0.1
    private static let slotsPerDay = 96
    private static let neighbours = 16

    /// - Parameter begin: The first slot with a record. The console is taken to be down before it.
    init(received: [Double], begin: Int) {
        isDown = received.indices.map { $0 < begin }
        guard let present = received.indices.last else { return }
        for slot in begin..<received.count {
            let usual = Self.usual(slot, received, begin)
            guard usual >= Self.leastUsual else { continue }
            // The present slot may have just begun.
            isDown[slot] =
                slot == present
                ? received[slot] == 0 && slot > begin && isDown[slot - 1] : received[slot] < usual * Self.share
        }
    }

    /// Returns the median of the same time on earlier days, or of the hours around on the first day.
    private static func usual(_ slot: Int, _ received: [Double], _ begin: Int) -> Double {
        var values = (1...7).map { slot - $0 * slotsPerDay }.filter { $0 >= begin }.map { received[$0] }
        if values.isEmpty {
            let around = max(slot - neighbours, begin)...min(slot + neighbours, received.count - 1)
            values = around.map { received[$0] }
        }
        return values.sorted()[values.count / 2]
    }
}
