import AstrolabePlatform
import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Foundation
import Testing

/// The clocks of a machine that the test sets.
private final class Machine: Sendable {
    private let clocks = Locked((wall: UInt64(1_800_000_000), elapsed: UInt64(5_000)))

    /// Nanoseconds since 1970.
    var wall: UInt64 { clocks.withLock { $0.wall * 1_000_000_000 } }
    var elapsed: UInt64 { clocks.withLock { $0.elapsed * 1_000_000_000 } }

    /// Time passes.
    func pass(seconds: UInt64) {
        clocks.withLock { $0 = ($0.wall + seconds, $0.elapsed + seconds) }
    }

    /// A person sets the wall clock.
    func set(bySeconds seconds: Int64) {
        clocks.withLock { $0.wall = UInt64(Int64($0.wall) + seconds) }
    }

    /// The machine is off, and its monotonic clock starts again.
    func off(seconds: UInt64) {
        clocks.withLock { $0 = ($0.wall + seconds, 10) }
    }
}

@Suite struct `Retention and a clock that is wrong` {
    private static let hour: UInt64 = 3_600
    private static let day: UInt64 = 86_400

    private let scratch: Scratch
    private let machine = Machine()

    init() throws { scratch = try Scratch() }

    /// A console's run with a retention of a week.
    private func run<Value: Sendable>(_ body: @Sendable (SQLiteStore) async throws -> Value) async throws -> Value {
        let store = try await scratch.store(
            retention: .init(age: .seconds(7 * Int64(Self.day))), now: { [machine] in machine.wall },
            elapsed: { [machine] in machine.elapsed })
        let value: Value
        do {
            value = try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        return value
    }

    /// Sends a log record that a device made at a time of its own, by default now.
    private func send(_ number: Int, to store: SQLiteStore, at time: UInt64? = nil) async throws {
        let record = LogRecordData(timeUnixNano: time ?? machine.wall, body: .string("record \(number)"))
        try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [record]))
    }

    /// Passes of retention for a number of seconds. Returns the sum, and the doubt of the last.
    private func retain(_ store: SQLiteStore, seconds: UInt64 = 0) async throws -> RetentionReport {
        var sum = try await store.applyRetention()
        for _ in 0..<seconds / 60 {
            machine.pass(seconds: 60)
            let report = try await store.applyRetention()
            sum.expiredRecords += report.expiredRecords
            sum.clockDoubt = report.clockDoubt
        }
        return sum
    }

    /// The steps of a clock, in seconds: minutes, days, years, back and forward.
    private static let steps: [Int64] = [-600, 600, -8 * 86_400, 8 * 86_400, -40 * 31_536_000, 40 * 31_536_000]

    @Test(arguments: steps) func `is wrong at a start, and right at the next`(step: Int64) async throws {
        try await run { store in
            try await send(1, to: store)
            let last = try await store.lastSequence()
            try await store.addSealedRange(
                SealedRange(dataset: "events", sequence: last...last, rowCount: 1, version: 1, checksum: 1, stamp: 0))
        }
        machine.off(seconds: 60)
        machine.set(bySeconds: step)
        try await run { store in
            let right = UInt64(Int64(machine.wall) - step * 1_000_000_000)
            try await send(2, to: store, at: right)
            #expect(try await retain(store).expiredRecords == 0)
        }
        machine.off(seconds: 60)
        machine.set(bySeconds: -step)
        try await run { store in
            #expect(try await retain(store, seconds: 2 * Self.hour).expiredRecords == 0)
            #expect(try await store.logs().page.elements.count == 2)
            #expect(try await store.sealedRanges(of: "events").ranges.count == 1)
            // A week later both are gone, and so are the columns.
            _ = try await retain(store, seconds: Self.hour)
            machine.pass(seconds: 7 * Self.day)
            #expect(try await retain(store).expiredRecords == 2)
            #expect(try await store.sealedRanges(of: "events").ranges.isEmpty)
            #expect(try await store.statistics().received == 2)
        }
    }

    @Test(arguments: steps) func `is wrong for a moment of a run`(step: Int64) async throws {
        try await run { store in
            try await send(1, to: store)
            machine.pass(seconds: 60)
            machine.set(bySeconds: step)
            try await send(2, to: store)
            let report = try await retain(store, seconds: 300)
            #expect(report.expiredRecords == 0)
            #expect((report.clockDoubt != nil) == (abs(step) > 60))
            machine.set(bySeconds: -step)
            try await send(3, to: store)
            #expect(try await retain(store, seconds: Self.hour).clockDoubt == nil)
            #expect(try await store.logs().page.elements.count == 3)
            machine.pass(seconds: 7 * Self.day)
            #expect(try await retain(store).expiredRecords == 3)
        }
    }

    @Test func `does not count as a long pause while devices have another time`() async throws {
        try await run { try await send(1, to: $0) }
        machine.off(seconds: 60)
        machine.set(bySeconds: 9 * 86_400)
        try await run { store in
            for number in 2..<30 {
                try await send(number, to: store, at: machine.wall - 9 * Self.day * 1_000_000_000)
                #expect(try await retain(store, seconds: Self.hour).expiredRecords == 0)
            }
            // With the minute between the runs.
            #expect(try await store.applyRetention().clockDoubt == .seconds(9 * 86_400 + 60))
        }
    }

    @Test func `is not believed because of records that have no time`() async throws {
        try await run { try await send(1, to: $0) }
        machine.off(seconds: 60)
        machine.set(bySeconds: 9 * 86_400)
        try await run { store in
            try await send(2, to: store, at: 0)
            let report = try await retain(store, seconds: Self.hour)
            #expect(report.expiredRecords == 0)
            #expect(report.clockDoubt != nil)
        }
    }

    @Test
    func `is believed after a long pause as soon as devices agree, and then the oldest records go`() async throws {
        try await run { try await send(1, to: $0) }
        machine.off(seconds: 9 * Self.day)
        try await run { store in
            try await send(2, to: store)
            #expect(try await retain(store).expiredRecords == 0)
            machine.pass(seconds: 600)
            try await send(3, to: store)
            let report = try await retain(store)
            #expect(report.expiredRecords == 1)
            #expect(report.clockDoubt == nil)
            machine.pass(seconds: 7 * Self.day - 700)
            #expect(try await retain(store).expiredRecords == 0, "what arrived after the pause has its full week")
            machine.pass(seconds: 900)
            #expect(try await retain(store).expiredRecords == 2)
        }
    }

    @Test(arguments: [9 * 86_400, 40 * 31_536_000] as [UInt64])
    func `is not believed if no device says anything, and the doubt ends after a quiet day`(pause: UInt64) async throws
    {
        try await run { try await send(1, to: $0) }
        machine.off(seconds: pause)
        try await run { store async throws in
            machine.pass(seconds: Self.day - 60)
            #expect(try await retain(store).clockDoubt != nil)
            let report = try await retain(store, seconds: 120)
            #expect(report.clockDoubt == nil)
            #expect(report.expiredRecords == 0)
            machine.pass(seconds: 5 * Self.day)
            #expect(try await retain(store).expiredRecords == 0)
            machine.pass(seconds: Self.day + 60)
            #expect(try await retain(store).expiredRecords == 1, "it has been here for a week of running")
        }
    }

    @Test func `what was removed is counted for ever, and what was received stays`() async throws {
        try await run { store in
            for number in 0..<5 { try await send(number, to: store) }
            machine.pass(seconds: 8 * Self.day)
            let report = try await retain(store)
            #expect(report.expiredRecords == 5)
            #expect(report.minutes == 30_000_000...30_000_000)
            #expect(report.storedBefore == 5)
            let statistics = try await store.statistics()
            #expect(statistics.received == 5)
            #expect(statistics.expired == 5)
            #expect(statistics.evicted == 0)
        }
        #expect(try await run { try await $0.statistics().received } == 5)
    }
}
