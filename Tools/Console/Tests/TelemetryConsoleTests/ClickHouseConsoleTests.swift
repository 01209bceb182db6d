import AstrolabeTelemetryModel
import AstrolabeTestSupport
import ClickHouse
import ClickHouseFixture
import ConsoleModel
import ConsoleStore
import Foundation
import Testing

/// The same records in both stores are the same to the pages.
@Suite(.enabled(if: ClickHouseServer.command != nil, "\(ClickHouseServer.isMissing)"), .timeLimit(.minutes(10)))
struct `A store of the console` {
    private static func withStores(
        _ body: (any TelemetryStore) async throws -> Void
    ) async throws {
        let folder = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        var configuration = StoreConfiguration(path: folder.path + "/console.sqlite")
        configuration.now = { Records.start + 10_000_000_000 }
        try await ClickHouseDatabase.run { client in
            let stores: [any TelemetryStore] = [
                try await SQLiteStore(configuration), try await ClickHouseStore(client.configuration, configuration),
            ]
            for store in stores {
                try await store.ingest(traces: Records.traces)
                try await store.ingest(logs: Records.logs)
                try await body(store)
                await store.close()
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test func `returns a trace in waterfall order with its events and services`() async throws {
        try await Self.withStores { store in
            let trace = try #require(try await store.trace(Records.trace(1)))
            #expect(trace.spans.map(\.span.name) == ["tap", "GET /api/cart", "GET /api/cart"])
            #expect(trace.spans.map(\.depth) == [0, 1, 2])
            #expect(trace.spans.map(\.span.status) == [.unset, .error, .error])
            #expect(trace.events.map(\.name) == ["cart.opened"])
            #expect(trace.sessions == ["s1"])
            #expect(try await store.services(inTrace: Records.trace(1)) == ["shop", "shop-server"])
            let request = try #require(trace.spans.first { $0.depth == 1 }?.span)
            #expect(request.attributes["http.response.status_code"] == .int(500))
            #expect(request.detailsText.contains("boom"))
            #expect(try await store.trace(Records.trace(99)) == nil)
        }
    }

    @Test func `lists traces, newest first, by pages and by what is asked for`() async throws {
        try await Self.withStores { store in
            var listed: [TraceID] = []
            var query = TraceQuery(limit: 2)
            repeat {
                let page = try await store.traces(query)
                listed += page.elements.map(\.id)
                query.cursor = page.next
            } while query.cursor != nil
            #expect(listed == [3, 2, 1].map(Records.trace))
            #expect(try await store.traces(TraceQuery(onlyWithErrors: true)).elements.map(\.id) == [Records.trace(1)])
            let found = try await store.traces(TraceQuery(text: "http.route=/api/ca"))
            #expect(found.elements.map(\.id) == [Records.trace(1)])
            #expect(found.elements.first?.spans == 3)
            let failed = try await store.traces(TraceQuery(text: "exception.message=bo"))
            #expect(failed.elements.map(\.id) == [Records.trace(1)])
            let ofServer = try await store.traces(TraceQuery(text: "service.name=shop-se"))
            #expect(ofServer.elements.map(\.id) == [Records.trace(1)])
            #expect(found.elements.first?.services == ["shop", "shop-server"])
            #expect(try await store.traces(TraceQuery(service: "shop-server")).elements.count == 1)
            #expect(
                try await store.traces(TraceQuery(text: Records.trace(2).hex)).elements.map(\.id) == [Records.trace(2)])
            var long = TraceQuery()
            long.durations = 0...900_000
            #expect(try await store.traces(long).elements.isEmpty)
        }
    }

    @Test func `returns sessions with what happened in them`() async throws {
        try await Self.withStores { store in
            let page = try await store.sessions(SessionQuery())
            #expect(page.elements.map(\.id) == ["s2", "s1"])
            let first = try #require(try await store.session("s1"))
            #expect(first.spans == 3)
            #expect(first.events == 2)
            #expect(first.crashes == 1)
            #expect(first.failedRequests == 1)
            #expect(first.screens == ["Cart"])
            #expect(first.device.systemVersion == "18.1")
            #expect(try await store.sessions(SessionQuery(onlyWithErrors: true)).elements.map(\.id) == ["s1"])
            #expect(try await store.sessions(SessionQuery(text: "nothing like it")).elements.isEmpty)
            let timeline = try #require(try await store.timeline(TimelineQuery(session: "s1")))
            #expect(timeline.items.count == 5)
            #expect(try await store.session("none") == nil)
        }
    }

    @Test func `lists log records, newest first, by pages, severity and words`() async throws {
        try await Self.withStores { store in
            var listed: [String] = []
            var query = LogQuery(limit: 1)
            repeat {
                let page = try await store.logs(query)
                listed += page.page.elements.map(\.event.name)
                query.cursor = page.page.next
            } while query.cursor != nil
            #expect(listed == ["app.crash", "cart.opened"])
            #expect(
                try await store.logs(LogQuery(minimumSeverity: 17)).page.elements.map(\.event.name) == ["app.crash"])
            #expect(try await store.logs(LogQuery(text: "items=3")).page.elements.map(\.session) == ["s1"])
            #expect(try await store.logs(LogQuery(service: "shop-server")).page.elements.isEmpty)
        }
    }

    @Test func `rejects spans without valid ids, and stores the others`() async throws {
        try await Self.withStores { store in
            let broken = SpanData(
                context: SpanContext(traceID: .invalid, spanID: .invalid), name: "broken",
                startTimeUnixNano: Records.start, endTimeUnixNano: Records.start)
            var groups = Records.traces
            groups[1].scopes[0].records.append(broken)
            let result = try await store.ingest(traces: groups)
            #expect(result.accepted == 5)
            #expect(result.rejected == 1)
            #expect(result.reason?.contains("invalid trace id") == true)
            // All others were there already.
            #expect(try await store.traces().elements.map(\.spans) == [1, 1, 3])
        }
    }

    @Test func `counts its services and records`() async throws {
        try await Self.withStores { store in
            let services = try await store.services()
            #expect(services.map(\.name) == ["shop", "shop-server"])
            #expect(services.map(\.spans) == [4, 1])
            #expect(services.map(\.logs) == [2, 0])
            #expect(services.map(\.side) == [.device, .backend])
            let statistics = try await store.statistics()
            #expect(statistics.received == 7)
            #expect(statistics.traces == 3)
            #expect(statistics.sessions == 2)
            #expect(statistics.devices == 1)
        }
    }
}

/// A session with a crash, one without, and a trace without a session.
private enum Records {
    static let start: UInt64 = 1_800_000_000_000_000_000
    static let phone = Resource(attributes: [
        "service.name": "shop", "os.version": "18.1", "app.installation.id": "i-1",
        "device.model.identifier": "iPhone17,1",
    ])
    static let server = Resource(attributes: ["service.name": "shop-server"])
    static let scope = InstrumentationScope(name: "tests")

    static func trace(_ number: UInt64) -> TraceID { TraceID(high: 7, low: number) }

    private static func span(
        _ name: String, trace number: UInt64, _ id: UInt64, parent: UInt64 = 0, after: UInt64, kind: SpanKind,
        status: SpanStatus = .unset, _ attributes: Attributes,
    ) -> SpanData {
        SpanData(
            context: SpanContext(traceID: trace(number), spanID: SpanID(id)), parentSpanID: SpanID(parent),
            name: name, kind: kind, startTimeUnixNano: start + number * 1_000_000_000 + after,
            endTimeUnixNano: start + number * 1_000_000_000 + 1_000_000 - after, attributes: attributes,
            events: status.isError
                ? [
                    SpanEvent(
                        name: "exception", timeUnixNano: start + after, attributes: ["exception.message": "boom"])
                ]
                : [], status: status)
    }

    static let traces = [
        ResourceGroup(
            resource: phone,
            scopes: [
                ScopeGroup(
                    scope: scope,
                    records: [
                        span("tap", trace: 1, 1, after: 0, kind: .internal, ["session.id": "s1"]),
                        span(
                            "GET /api/cart", trace: 1, 2, parent: 1, after: 100, kind: .client, status: .error("500"),
                            [
                                "session.id": "s1", "http.request.method": "GET", "http.response.status_code": 500,
                                "http.route": "/api/cart",
                            ]),
                        span("launch", trace: 2, 3, after: 0, kind: .internal, ["session.id": "s2"]),
                        span("work", trace: 3, 4, after: 0, kind: .internal, [:]),
                    ])
            ]),
        ResourceGroup(
            resource: server,
            scopes: [
                ScopeGroup(
                    scope: scope,
                    records: [
                        span(
                            "GET /api/cart", trace: 1, 5, parent: 2, after: 200, kind: .server, status: .error("500"),
                            ["http.route": "/api/cart"])
                    ])
            ]),
    ]

    static let logs = [
        ResourceGroup(
            resource: phone,
            scopes: [
                ScopeGroup(
                    scope: scope,
                    records: [
                        LogRecordData(
                            timeUnixNano: start + 1_000_000_500, severityNumber: 9, eventName: "cart.opened",
                            attributes: ["session.id": "s1", "app.screen.name": "Cart", "items": "3"],
                            traceID: trace(1), spanID: SpanID(1)),
                        LogRecordData(
                            timeUnixNano: start + 1_900_000_000, severityNumber: 21, eventName: "app.crash",
                            attributes: ["session.id": "s1"]),
                    ])
            ])
    ]
}
