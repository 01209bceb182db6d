import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Testing

@Suite
struct ChangeTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test
    func `a reader hears what changed, and a slow reader hears it in one`() async throws {
        try await scratch.withStore { store in
            let changes = await store.changes()
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
            try await store.ingest(metrics: ShopFixture.group(ShopFixture.phone, ShopFixture.metrics()))
            var iterator = changes.makeAsyncIterator()
            var heard = try #require(await iterator.next())
            let end = try await store.statistics().cursor
            while heard.cursor < end { heard = try #require(await iterator.next()) }
            #expect(heard.hasMetrics)
            let number = try #require(try await store.session("s-1")?.number)
            #expect(heard.sessions.contains(number))
        }
    }

    @Test
    func `a request that changes nothing is no change`() async throws {
        try await scratch.withStore { store in
            let spans = ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans())
            var iterator = (await store.changes()).makeAsyncIterator()
            try await store.ingest(traces: spans)
            var heard = try #require(await iterator.next())
            let end = try await store.statistics().cursor
            while heard.cursor < end { heard = try #require(await iterator.next()) }
            try await store.ingest(traces: spans)
            let trace = TraceID(high: 0xA5, low: 42)
            let last = SpanData(
                context: SpanContext(traceID: trace, spanID: SpanID(1)), name: "last", startTimeUnixNano: 1,
                endTimeUnixNano: 2,
            )
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [last]))
            heard = try #require(await iterator.next())
            #expect(heard.traces == [trace])
        }
    }

    @Test
    func `closing the store ends every subscription`() async throws {
        let store = try await scratch.store()
        let changes = await store.changes()
        let reader = Task {
            var count = 0
            for await _ in changes { count += 1 }
            return count
        }
        await store.close()
        #expect(await reader.value == 0)
        await #expect(throws: StoreError.closed) {
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
        }
    }
}
