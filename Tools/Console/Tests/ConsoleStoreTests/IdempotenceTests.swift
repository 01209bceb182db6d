import AstrolabeTelemetryModel
import ConsoleStore
import Testing

@Suite
struct IdempotenceTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test
    func `a repeated request is stored once`() async throws {
        try await scratch.withStore { store in
            for _ in 0..<2 {
                try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
                try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, ShopFixture.events()))
                try await store.ingest(logs: ShopFixture.group(ShopFixture.backend, ShopFixture.backendLogs()))
                try await store.ingest(metrics: ShopFixture.group(ShopFixture.phone, ShopFixture.metrics()))
            }
            let statistics = try await store.statistics()
            #expect(statistics.received == 5 + 3 + 1 + 1)
            let session = try #require(try await store.session("s-1"))
            #expect(session.spans == 5)
            #expect(session.events == 4)
            #expect(session.metricPoints == 1)
        }
    }

    @Test
    func `a span that occurs twice in a request is stored once`() async throws {
        try await scratch.withStore { store in
            let span = ShopFixture.phoneSpans()[0]
            let result = try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [span, span]))
            #expect(result.accepted == 2)
            #expect(try await store.session("s-1")?.spans == 1)
        }
    }

    @Test
    func `events without a uid are deduplicated by content`() async throws {
        try await scratch.withStore { store in
            let event = LogRecordData(timeUnixNano: ShopFixture.at(1), eventName: "tap", attributes: ["x": 1])
            var other = event
            other.attributes["x"] = 2
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [event, event, other]))
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [event]))
            #expect(try await store.statistics().received == 2)
        }
    }

    @Test
    func `the same event from two devices is two events`() async throws {
        try await scratch.withStore { store in
            let event = LogRecordData(timeUnixNano: ShopFixture.at(1), eventName: "tap")
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [event]))
            try await store.ingest(logs: ShopFixture.group(ShopFixture.backend, [event]))
            #expect(try await store.statistics().received == 2)
        }
    }

    @Test
    func `a span without valid ids is rejected with a reason, and the rest is stored`() async throws {
        try await scratch.withStore { store in
            var spans = ShopFixture.phoneSpans()
            spans.append(SpanData(context: .invalid, name: "lost", startTimeUnixNano: 1, endTimeUnixNano: 2))
            let result = try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, spans))
            #expect(result.accepted == 5)
            #expect(result.rejected == 1)
            #expect(result.reason?.contains("trace id") == true)
        }
    }

    @Test
    func `a metric without points of a known kind is named to its sender`() async throws {
        try await scratch.withStore { store in
            let metrics = [MetricData(name: "latency", data: .unknown)]
            let result = try await store.ingest(metrics: ShopFixture.group(ShopFixture.phone, metrics))
            #expect(result.rejected == 0)
            #expect(result.reason?.contains("latency") == true)
        }
    }
}
