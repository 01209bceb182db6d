import AstrolabeTelemetryModel
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// Spans with one id: the two sides of a call, a span that comes again, and two that contradict each other.
@Suite
struct SharedSpanTests {
    private static let trace = TraceID(high: 0xA5, low: 1)
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test
    func `the sides of a call that share an id are both shown, the server's inside the client's`() async throws {
        let client = ShopFixture.span(1, 7, parent: 1, "GET", kind: .client, from: 10_000, to: 10_100)
        let server = ShopFixture.span(1, 7, parent: 1, "GET /cart", kind: .server, from: 2_000, to: 2_060)
        let query = ShopFixture.span(1, 8, parent: 7, "query", from: 2_010, to: 2_030)
        let root = ShopFixture.span(1, 1, "tap", from: 9_900, to: 10_200)
        try await scratch.withStore { store in
            let results = [
                try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, [query, server])),
                try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [client, root])),
            ]
            #expect(results.map(\.rejected) == [0, 0])
            let nodes = try #require(try await store.trace(Self.trace)).spans
            #expect(nodes.map(\.span.name) == ["tap", "GET", "GET /cart", "query"])
            #expect(nodes.map(\.depth) == [0, 1, 2, 3])
            #expect(nodes.map(\.isShared) == [false, true, true, false])
            #expect(nodes[2].startUnixNano == ShopFixture.at(10_020), "the clocks are corrected")
            #expect(nodes[3].shiftNano == nodes[2].shiftNano)
        }
    }

    @Test
    func `two spans of one service and kind with other contents are a conflict in the partial success`() async throws {
        let span = ShopFixture.span(1, 1, "first", from: 0, to: 10)
        var other = span
        other.name = "second"
        try await scratch.withStore { [span, other] store in
            let result = try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [span, other]))
            #expect(result.accepted == 1 && result.rejected == 1)
            #expect(result.reason?.contains(span.context.spanID.hex) == true)
            // Another process of the service cannot have the span either.
            var process = ShopFixture.phone
            process.attributes["service.instance.id"] = "2"
            let again = try await store.ingest(traces: ShopFixture.group(process, [other]))
            #expect(again.rejected == 1)
            #expect(try await store.trace(Self.trace)?.spans.map(\.span.name) == ["first"])
        }
    }

    @Test
    func `a span that comes again is no conflict, with or without a time`() async throws {
        let clock = HandClock(seconds: 1_790_000_000)
        let store = try await scratch.store(now: { clock.now })
        var timeless = ShopFixture.span(1, 2, "timeless", from: 0, to: 10)
        (timeless.startTimeUnixNano, timeless.endTimeUnixNano) = (0, 0)
        let spans = [ShopFixture.span(1, 1, "span", from: 0, to: 10), timeless]
        for _ in 0..<2 {
            let result = try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, spans))
            #expect(result.accepted == 2 && result.rejected == 0)
            clock.advance(hours: 1)
        }
        #expect(try await store.trace(Self.trace)?.spans.count == 2)
        await store.close()
    }

    @Test
    func `both failed sides of a call are no failures of their own if what they called failed`() async throws {
        let failed = SpanStatus.error("no")
        let spans = [
            ShopFixture.span(1, 7, "GET", kind: .client, from: 0, to: 100, status: failed),
            ShopFixture.span(1, 7, "GET /cart", kind: .server, from: 10, to: 90, status: failed),
            ShopFixture.span(1, 8, parent: 7, "query", from: 20, to: 30, status: failed),
        ]
        try await scratch.withStore { store in
            for span in spans { try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, [span])) }
            #expect(try await store.traces().elements.map(\.errors) == [1])
            let nodes = try #require(try await store.trace(Self.trace)).spans
            #expect(nodes.filter(\.span.isFailure).map(\.span.name) == ["query"])
        }
    }
}
