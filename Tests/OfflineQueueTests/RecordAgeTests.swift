import AstrolabePlatform
import AstrolabeTestSupport
import Testing

@testable import AstrolabeOfflineQueue

/// The dropping of records by age, and the clocks that a user, a network or a reboot sets.
struct RecordAgeTests {
    private static let day: UInt64 = 86_400 * QueueBench.second
    private static let year = 365 * day

    private let bench = QueueBench(wall: 57 * RecordAgeTests.year)

    private func pass(_ nanoseconds: UInt64) {
        bench.wall.withLock { $0 += nanoseconds }
        bench.steady.withLock { $0 += nanoseconds }
    }

    private func setClock(bySeconds seconds: Int64) {
        bench.wall.withLock { $0 = UInt64(Int64($0) + seconds * Int64(QueueBench.second)) }
    }

    private func reboot() {
        bench.steady.withLock { $0 = 10 * QueueBench.second }
        bench.boot.withLock { $0 += "+" }
    }

    enum Moment: CaseIterable {
        case beforeTheStart, whileRunning, betweenRuns, betweenBoots
    }

    /// The steps of the wall clock, in seconds: minutes, days, years, back and forward.
    private static let steps: [Int64] = [-600, 600, -8 * 86_400, 8 * 86_400, -40 * 31_536_000, 40 * 31_536_000]

    @Test(arguments: steps, Moment.allCases)
    func `a wall clock that is set drops no record early, and keeps none longer`(step: Int64, moment: Moment) throws {
        if moment == .beforeTheStart { setClock(bySeconds: step) }
        var queue = try bench.open()
        try queue.enqueue(bench.batch([0, 1]))
        pass(60 * QueueBench.second)
        switch moment {
        case .beforeTheStart: setClock(bySeconds: -step)
        case .whileRunning: setClock(bySeconds: step)
        case .betweenRuns, .betweenBoots:
            queue.close()
            setClock(bySeconds: step)
            if moment == .betweenBoots { reboot() }
            queue = try bench.open()
        }
        try queue.enqueue(bench.batch([2, 3]))
        for _ in 0..<7 {
            try queue.maintain()
            #expect(try queue.statistics().records == 4)
            #expect(try queue.statistics().dropped == [:])
            pass(Self.day)
        }
        try queue.maintain()
        #expect(try queue.statistics().dropped == [.expired: 4])
        queue.close()
        setClock(bySeconds: -step)
        let statistics = try bench.open().statistics()
        #expect(statistics.dropped == [.expired: 4])
        #expect(statistics.isBalanced)
    }

    enum Boot: CaseIterable {
        case same, another, unknown
    }

    @Test(arguments: Boot.allCases) func `eight days between two runs count if they are certain`(boot: Boot) throws {
        if boot == .unknown { bench.boot.withLock { $0 = "" } }
        var queue = try bench.open()
        try queue.enqueue(bench.batch([0, 1]))
        queue.close()
        pass(8 * Self.day)
        if boot == .another { reboot() }
        queue = try bench.open()
        try queue.maintain()
        #expect(try queue.statistics().records == (boot == .same ? 0 : 2))
        pass(7 * Self.day + QueueBench.second)
        try queue.maintain()
        #expect(try queue.statistics().dropped == [.expired: 2])
    }

    @Test func `records count as one arrival for at most an hour`() throws {
        let queue = try bench.open()
        let start = bench.now
        for _ in 0..<6 {
            try queue.enqueue(bench.batch([1]))
            pass(1_200 * QueueBench.second)
        }
        pass(7 * Self.day - 7_200 * QueueBench.second + QueueBench.second)
        try queue.maintain()
        #expect(try queue.statistics().dropped == [.expired: 3])
        #expect(queue.incidents.expiredTimes == start...start + 2_400 * QueueBench.second)
        pass(3_600 * QueueBench.second)
        try queue.maintain()
        #expect(try queue.statistics().dropped == [.expired: 6])
    }

    @Test func `records of a file without ages begin to age when it is opened`() throws {
        var queue = try bench.open()
        try queue.enqueue(bench.batch([0, 1]))
        queue.close()
        try SQLiteDatabase(path: bench.path, busyTimeout: 1_000).execute("DELETE FROM marks")
        pass(8 * Self.day)
        queue = try bench.open()
        try queue.maintain()
        #expect(try queue.statistics().records == 2)
        pass(7 * Self.day + QueueBench.second)
        try queue.maintain()
        #expect(try queue.statistics().dropped == [.expired: 2])
    }

    @Test func `records that another process has stored since keep their own age`() throws {
        let (first, second) = (try bench.open(), try bench.open())
        try first.enqueue(bench.batch([1]))
        pass(7 * Self.day - 30 * QueueBench.second)
        try first.maintain()
        try second.enqueue(bench.batch([2]))
        pass(40 * QueueBench.second)
        try first.maintain()
        #expect(try first.statistics().byPriority == [2: 1])
    }

    @Test func `ages are read as they were written, and not if a byte has changed`() throws {
        let clock = QueueClock(steady: { 7 }, boot: { "a boot" })
        var ages = QueueAges(at: QueueAges.Reading(clock, process: "me"), hasRecords: true)
        ages.addArrival(after: 40)
        let bytes = ages.bytes
        #expect(QueueAges(bytes) == ages)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(QueueAges(changed) == nil)
        }
        for count in bytes.indices { #expect(QueueAges(Array(bytes[..<count])) == nil) }
    }
}
