import AstrolabeTelemetryModel
import AstrolabeTestSupport
import ConsoleModel
import GRDB
import Testing

@testable import ConsoleStore

/// Records that are taken from memory after their commit are those of their rows.
@Suite
struct KeptArrivalsTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// Returns a store that keeps few records, and that fails if a span is named `fails`.
    private func open(_ clock: HandClock, bytes: Int) async throws -> SQLiteStore {
        var limits = StoreConfiguration.Limits()
        limits.arrivalBytes = bytes
        let store = try await scratch.store(
            retention: .init(age: .seconds(2 * 3_600)), limits: limits, now: { clock.now })
        try await store.maintain { database in
            try database.execute(
                sql: """
                    CREATE TEMP TRIGGER failure BEFORE INSERT ON main.spans WHEN new.name = 'fails'
                    BEGIN SELECT RAISE(ABORT, 'the test says so'); END
                    """)
        }
        return store
    }

    @Test(arguments: 0..<UInt64(Thoroughness.count(3, thorough: 100)))
    func `records in memory are those of the rows, after commits, failures, retention and starts`(
        seed: UInt64
    ) async throws {
        var random = RecordSource(seed: seed)
        let clock = HandClock(seconds: 1_790_000_000)
        var store = try await open(clock, bytes: 60_000)
        var fromMemory = 0
        for _ in 0..<30 {
            switch random.number(below: 12) {
            case 0:
                await store.close()
                store = try await open(clock, bytes: 60_000)
            case 1:
                clock.advance(hours: 1)
                try await store.applyRetention()
            case 2:
                let spans = random.spans() + [ShopFixture.span(999, 1, "fails", from: 0, to: 1)]
                await Self.expectFailure(of: spans, in: store)
            case 3...5: try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, random.events()))
            default: try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, random.spans()))
            }
            fromMemory += try await Self.compare(store)
        }
        #expect(fromMemory > 0)
        await store.close()
    }

    private static func expectFailure(of spans: [SpanData], in store: SQLiteStore) async {
        do {
            try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, spans))
            Issue.record("expected an error")
        } catch {
            #expect(!isKept(store, from: .max))
        }
    }

    /// Returns true if all spans from a number on are in memory.
    private static func isKept(_ store: SQLiteStore, from first: Int64) -> Bool {
        store.arrivals.spans(in: first...Int64.max, limit: 1) != nil
    }

    /// Compares what is answered with the rows, and returns how many records were taken from memory.
    private static func compare(_ store: SQLiteStore) async throws -> Int {
        let end = try await store.lastSequence()
        var count = 0
        for first in stride(from: Int64(1), through: end + 1, by: max(1, Int(end) / 6)) {
            for (last, limit) in [(Int64.max, 1_000), (first + 25, 1_000), (Int64.max, 3)] {
                let range = first...last
                expectEqual(
                    try await store.spans(arrivedIn: range, limit: limit),
                    try await store.storedSpans(arrivedIn: range, limit: limit))
                expectEqual(
                    try await store.events(arrivedIn: range, limit: limit),
                    try await store.storedEvents(arrivedIn: range, limit: limit))
                count += store.arrivals.spans(in: range, limit: limit)?.count ?? 0
                count += store.arrivals.events(in: range, limit: limit)?.count ?? 0
            }
        }
        return count
    }

    private static func expectEqual<Record: Equatable>(_ kept: Arrivals<Record>, _ stored: Arrivals<Record>) {
        #expect(kept.records == stored.records)
        #expect(kept.sessions == stored.sessions)
        #expect(kept.origins == stored.origins)
        #expect(kept.scopes == stored.scopes)
        #expect(kept.times == stored.times)
        #expect(kept.trimmedThrough == stored.trimmedThrough)
    }

    @Test
    func `what was written before a start is not in memory, and the newest of what follows are, within the limit`()
        async throws
    {
        let clock = HandClock(seconds: 1_790_000_000)
        var store = try await open(clock, bytes: 60_000)
        let old = [ShopFixture.span(1, 1, "old", from: 0, to: 1)]
        try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, old))
        await store.close()
        store = try await open(clock, bytes: 60_000)
        let end = try await store.lastSequence()
        #expect(!Self.isKept(store, from: end + 1))
        for number in UInt64(2)..<100 {
            let span = ShopFixture.span(number, 1, "span \(number)", from: 0, to: 1)
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [span]))
        }
        #expect(!Self.isKept(store, from: end + 1))
        let last = try await store.lastSequence()
        let newest = try #require(store.arrivals.spans(in: last - 4...Int64.max, limit: 100))
        #expect(newest.last?.record.name == "span 99")
        let all = try await store.spans(arrivedIn: 1...Int64.max, limit: 1_000).records.map(\.name)
        #expect(all == ["old"] + (2..<100).map { "span \($0)" })
        await store.close()
    }

    @Test
    func `the resource of each request counts for the limit, though the database stores it once`() async throws {
        let store = try await open(HandClock(seconds: 1_790_000_000), bytes: 60_000)
        let end = try await store.lastSequence()
        let large = String(repeating: "x", count: 20_000)
        let resource = Resource(attributes: ["service.name": "shop", "large": large])
        for number in UInt64(1)..<10 {
            let span = ShopFixture.span(number, 1, "span", from: 0, to: 1)
            try await store.ingest(traces: ShopFixture.group(resource, [span]))
        }
        #expect(!Self.isKept(store, from: end + 1))
        await store.close()
    }

    @Test
    func `a span is found again in a new trace, in a known one, and beside one of another kind`() async throws {
        try await scratch.withStore { store in
            let span = ShopFixture.span(1, 1, "one", from: 0, to: 10)
            var server = span
            server.kind = .server
            var other = span
            other.name = "two"
            for round in 0..<2 {
                let sent = round == 0 ? [span, span, server, other] : [other, server, span]
                let result = try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, sent))
                #expect(result.rejected == 1)
                let stored = try await store.storedSpans(arrivedIn: 1...Int64.max, limit: 10)
                #expect(stored.records.map(\.name) == ["one", "one"])
                #expect(stored.records.map(\.kind) == [.internal, .server])
            }
        }
    }
}

/// Random records, the same for each seed. Some of them come again, or contradict an earlier one.
private struct RecordSource: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    private static let texts = ["", "GET /cart", "naïve\u{0}name", "a \"quoted\"\n\\line", "👩‍🚀"]
    private static let values: [AttributeValue] = [
        .string("a \"quoted\"\n\\line\u{0}"), .string(""), .int(.max), .int(-1), .double(0.1), .double(.nan),
        .double(.infinity), .bool(true), .bytes([0, 255]), .array([.int(1), .string("x")]), .map(["$a": 1]), .empty,
    ]

    private mutating func text() -> String { Self.texts[number(below: Self.texts.count)] }

    private mutating func attributes() -> Attributes {
        var attributes: Attributes = [:]
        for index in 0..<number(below: 4) {
            attributes["key \(index)"] = Self.values[number(below: Self.values.count)]
        }
        if number(below: 3) > 0 { attributes["session.id"] = .string("s-\(number(below: 3))") }
        return attributes
    }

    mutating func spans() -> [SpanData] {
        (0..<number(below: 8) + 1).map { _ in
            let start = UInt64(number(below: 1_000))
            var span = ShopFixture.span(
                UInt64(number(below: 40)) + 1, UInt64(number(below: 20)) + 1, parent: UInt64(number(below: 3)),
                text(), from: start, to: start + UInt64(number(below: 50)), attributes(),
                status: number(below: 4) == 0 ? .error(text()) : .unset)
            if number(below: 4) == 0 { span.kind = nil }
            if number(below: 6) == 0 { (span.startTimeUnixNano, span.endTimeUnixNano) = (0, 0) }
            if number(below: 4) == 0 { span.events = [SpanEvent(name: text(), timeUnixNano: ShopFixture.at(start))] }
            return span
        }
    }

    mutating func events() -> [LogRecordData] {
        (0..<number(below: 8) + 1).map { _ in
            let trace = UInt64(number(below: 40))
            return LogRecordData(
                timeUnixNano: number(below: 5) == 0 ? 0 : ShopFixture.at(UInt64(number(below: 1_000))),
                severityNumber: Int32(number(below: 24)), severityText: text(), eventName: text(),
                body: Self.values[number(below: Self.values.count)], attributes: attributes(),
                droppedAttributesCount: UInt32(number(below: 2)),
                traceID: trace == 0 ? .invalid : TraceID(high: 0xA5, low: trace), spanID: SpanID(trace))
        }
    }
}
