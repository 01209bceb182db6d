import AstrolabeTelemetryModel
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// Records whose senders do not know the time, or are wrong about it.
@Suite
struct RecordTimeTests {
    private static let week: UInt64 = 7 * 86_400_000_000_000
    private let scratch: Scratch
    private let clock = HandClock(seconds: 1_790_000_000)

    init() throws {
        scratch = try Scratch()
    }

    private func withStore(_ body: (SQLiteStore) async throws -> Void) async throws {
        let store = try await scratch.store(now: { [clock] in clock.now })
        do {
            try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    @Test
    func `a log record without a time has that of its arrival, and comes twice as one`() async throws {
        let arrival = clock.now
        try await withStore { store in
            let record = LogRecordData(timeUnixNano: 0, body: "line")
            for _ in 0..<2 {
                try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [record]))
                clock.advance(hours: 1)
            }
            let events = try await store.logs().page.elements.map(\.event)
            #expect(events.map(\.timeUnixNano) == [arrival])
            #expect(events.map(\.observedUnixNano) == [arrival])
            #expect(events.map(\.sentUnixNano) == [0])
        }
        let page = try StoreExport(path: scratch.path, filter: ExportFilter()).logs(after: 0)
        let exported = try #require(page?.groups.first?.scopes.first?.records.first)
        #expect(exported.timeUnixNano == 0 && exported.observedTimeUnixNano == arrival)
    }

    @Test
    func `a log record with an observed time alone is placed there, and exported as it was sent`() async throws {
        let observed = clock.now - 1_000
        try await withStore { store in
            let record = LogRecordData(timeUnixNano: 0, observedTimeUnixNano: observed, body: "line")
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [record]))
            let events = try await store.logs().page.elements.map(\.event)
            #expect(events.map(\.timeUnixNano) == [observed] && events.map(\.sentUnixNano) == [0])
        }
        let page = try StoreExport(path: scratch.path, filter: ExportFilter()).logs(after: 0)
        let exported = try #require(page?.groups.first?.scopes.first?.records.first)
        #expect(exported.timeUnixNano == 0 && exported.observedTimeUnixNano == observed)
    }

    @Test
    func `a log record that is too far ahead does not head the list for ever`() async throws {
        let now = clock.now
        try await withStore { store in
            let records = [
                LogRecordData(timeUnixNano: .max, body: "ahead"), LogRecordData(timeUnixNano: now + 1, body: "later"),
                LogRecordData(timeUnixNano: now + Self.week, body: "a week"),
                LogRecordData(timeUnixNano: now + Self.week + 1, observedTimeUnixNano: now - 5, body: "seen"),
            ]
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, records))
            let events = try await store.logs().page.elements.map(\.event)
            #expect(events.map(\.timeUnixNano) == [now + Self.week, now + 1, now, now - 5])
            #expect(events.map { $0.sentUnixNano != nil } == [false, false, true, true])
        }
    }

    @Test
    func `a metric point without a time has that of its arrival`() async throws {
        let arrival = clock.now
        try await withStore { store in
            let gauge = MetricData(name: "level", data: .gauge([NumberPoint(timeUnixNano: 0, value: .int(5))]))
            try await store.ingest(metrics: ShopFixture.group(ShopFixture.phone, [gauge]))
            let points = try await store.metrics().elements.flatMap(\.series).flatMap(\.points)
            #expect(points.map(\.timeUnixNano) == [arrival])
        }
    }

    /// A span's sent and stored start and end, relative to its arrival in nanoseconds; `nil` is 0.
    @Test(
        arguments: [
            ((nil, nil), (0, 0)), ((nil, -5), (-5, -5)), ((-9, nil), (-9, -9)), ((-5, -9), (-5, -5)),
            ((-9, Int64.max), (-9, -9)), ((Int64.max, nil), (0, 0)), ((-9, -5), (-9, -5)),
        ] as [((Int64?, Int64?), (Int64, Int64))])
    func `a span without a plausible start or end is placed and marked`(
        sent: (Int64?, Int64?), stored: (Int64, Int64),
    ) async throws {
        let arrival = Int64(clock.now)
        func time(_ offset: Int64?) -> UInt64 { offset.map { UInt64(arrival.clampedSum($0)) } ?? 0 }
        var span = ShopFixture.span(1, 1, "span", from: 0, to: 1)
        (span.startTimeUnixNano, span.endTimeUnixNano) = (time(sent.0), time(sent.1))
        try await withStore { store in
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [span]))
            let found = try #require(try await store.trace(span.context.traceID)?.spans.first?.span)
            #expect(found.startUnixNano == time(stored.0) && found.endUnixNano == time(stored.1))
            let isMoved = found.startUnixNano != span.startTimeUnixNano || found.endUnixNano != span.endTimeUnixNano
            #expect(found.detailsText.contains("sentEnd") == isMoved)
            let summary = try #require(try await store.traces().elements.first)
            #expect(summary.startUnixNano == time(stored.0))
        }
        let page = try StoreExport(path: scratch.path, filter: ExportFilter()).spans(after: 0)
        let exported = try #require(page?.groups.first?.scopes.first?.records.first)
        #expect(exported.endTimeUnixNano == span.endTimeUnixNano)
    }

    @Test
    func `a span from 1970 does not stretch its trace, on the page or in the list`() async throws {
        let spans = [
            ShopFixture.span(1, 1, "root", from: 0, to: 1_000),
            SpanData(
                context: SpanContext(traceID: TraceID(high: 0xA5, low: 1), spanID: SpanID(2)),
                parentSpanID: SpanID(1), name: "old", startTimeUnixNano: 5, endTimeUnixNano: 7),
        ]
        try await withStore { store in
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, spans))
            let trace = try #require(try await store.trace(TraceID(high: 0xA5, low: 1)))
            let extent = try #require(trace.extent)
            #expect(extent == TraceExtent(start: ShopFixture.at(0), end: ShopFixture.at(1_000)))
            #expect(trace.spans.map { extent.includes($0) } == [true, false])
            let summary = try #require(try await store.traces().elements.first)
            #expect(summary.startUnixNano == extent.start && summary.durationNano == extent.durationNano)
        }
    }

    @Test
    func `a trace with clocks of its own takes as long in the list as on its page`() async throws {
        try await withStore { store in
            let client = ShopFixture.span(1, 1, "GET", kind: .client, from: 10_000, to: 10_300)
            let server = ShopFixture.span(1, 2, parent: 1, "GET", kind: .server, from: 5_000, to: 5_060)
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [client]))
            try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, [server]))
            let extent = try #require(try await store.trace(client.context.traceID)?.extent)
            let summary = try #require(try await store.traces().elements.first)
            #expect(extent.durationNano == 300_000_000)
            #expect(summary.durationNano == extent.durationNano && summary.startUnixNano == extent.start)
        }
    }

    @Test
    func `what OTLP has beyond the API comes out of an export`() async throws {
        var span = ShopFixture.span(1, 1, "span", from: 0, to: 1, status: .ok)
        span.statusNote = "fine"
        var record = LogRecordData(timeUnixNano: clock.now, body: "line", flags: .sampled)
        record.reservedFlags = 0xFFFF_FF00
        try await withStore { [span, record] store in
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [span]))
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [record]))
        }
        let export = try StoreExport(path: scratch.path, filter: ExportFilter())
        #expect(try export.spans(after: 0)?.groups.first?.scopes.first?.records == [span])
        #expect(try export.logs(after: 0)?.groups.first?.scopes.first?.records == [record])
    }
}
