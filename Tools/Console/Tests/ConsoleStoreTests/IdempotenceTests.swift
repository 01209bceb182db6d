import AstrolabeTelemetryModel
import ConsoleModel
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
    func `equal log records stay as many as were sent, and a repeated request adds none`() async throws {
        try await scratch.withStore { store in
            let event = LogRecordData(timeUnixNano: ShopFixture.at(1), eventName: "tap", attributes: ["x": 1])
            var other = event
            other.attributes["x"] = 2
            for _ in 0..<2 {
                try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [event, event, other, event]))
            }
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [event]))
            #expect(try await store.statistics().received == 4)
            #expect(try await store.logs().page.elements.filter { $0.event.attributes["x"] == 1 }.count == 3)
        }
    }

    @Test
    func `events with the same uid are one`() async throws {
        try await scratch.withStore { store in
            let event = LogRecordData(
                timeUnixNano: ShopFixture.at(1), eventName: "tap", attributes: ["log.record.uid": "u"])
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [event, event]))
            #expect(try await store.statistics().received == 1)
        }
    }

    @Test
    func `log records that differ in one field are apart`() async throws {
        try await scratch.withStore { store in
            let event = LogRecordData(timeUnixNano: ShopFixture.at(1), body: "line")
            let changes: [@Sendable (inout LogRecordData) -> Void] = [
                { _ in }, { $0.timeUnixNano += 1 }, { $0.observedTimeUnixNano = ShopFixture.at(1) },
                { $0.severityNumber = 9 }, { $0.severityText = "INFO" }, { $0.eventName = "e" }, { $0.body = "other" },
                { $0.attributes = ["a": 1] }, { $0.droppedAttributesCount = 1 }, { $0.flags = .sampled },
                { $0.reservedFlags = 0x100 }, { $0.traceID = TraceID(high: 1, low: 1) }, { $0.spanID = SpanID(1) },
            ]
            for change in changes {
                var record = event
                change(&record)
                try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [record]))
            }
            #expect(try await store.statistics().received == changes.count)
        }
    }

    @Test
    func `an export does not part equal log records, so that all of them are received`() async throws {
        let record = LogRecordData(timeUnixNano: ShopFixture.at(1), body: "equal")
        let others = (0..<1_500 as Range<Int64>).map {
            LogRecordData(timeUnixNano: ShopFixture.at(2), body: .int($0))
        }
        _ = try await scratch.withStore { store in
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [record] + others + [record]))
        }
        let (copy, path) = (try Scratch(), scratch.path)
        try await copy.withStore { store in
            let export = try StoreExport(path: path, filter: ExportFilter())
            var position: Int64 = 0
            while let page = try export.logs(after: position) {
                try await store.ingest(logs: page.groups)
                position = page.position
            }
            #expect(try await store.statistics().received == 1_502)
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
