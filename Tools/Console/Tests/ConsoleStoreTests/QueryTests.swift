import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Testing

@Suite
struct QueryTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private static func visit(_ store: SQLiteStore) async throws {
        try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, ShopFixture.backendSpans()))
        try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
        try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, ShopFixture.events()))
        try await store.ingest(logs: ShopFixture.group(ShopFixture.backend, ShopFixture.backendLogs()))
    }

    @Test
    func `a session's timeline has phone and backend records ordered by time`() async throws {
        try await scratch.withStore { store in
            try await Self.visit(store)
            let page = try #require(try await store.timeline(TimelineQuery(session: "s-1")))
            let names = page.items.map { item in
                switch item {
                case .span(let span): "\(page.origins[span.origin]?.side.name ?? "?") \(span.name)"
                case .event(let event): "\(page.origins[event.origin]?.side.name ?? "?") \(event.name)"
                }
            }
            #expect(
                names == [
                    "device session.start", "device ProductList", "device ProductListViewModel.loadProducts",
                    "device GET /api/products", "backend GET /api/products", "device app.widget.click",
                    "device CheckoutViewModel.placeOrder", "device POST /api/checkout", "backend POST /api/checkout",
                    "backend quote", "backend charge", "backend ", "device app.crash",
                ]
            )
            #expect(page.next == nil)
        }
    }

    @Test
    func `a timeline read in pages has every record exactly once`() async throws {
        try await scratch.withStore { store in
            try await Self.visit(store)
            let whole = try #require(try await store.timeline(TimelineQuery(session: "s-1"))).items
            var query = TimelineQuery(session: "s-1", limit: 3)
            var items: [TimelineItem] = []
            repeat {
                let page = try #require(try await store.timeline(query))
                #expect(page.items.count <= 3)
                items += page.items
                query.cursor = page.next
            } while query.cursor != nil
            #expect(items == whole)
        }
    }

    @Test
    func `only records that arrived after a cursor are read`() async throws {
        try await scratch.withStore { store in
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
            let before = try #require(try await store.timeline(TimelineQuery(session: "s-1")))
            try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, [ShopFixture.backendSpans()[0]]))
            var query = TimelineQuery(session: "s-1")
            query.arrivedAfter = before.cursor
            let news = try #require(try await store.timeline(query))
            #expect(news.items.count == 1)
            #expect(news.cursor > before.cursor)
            var sessions = SessionQuery()
            sessions.changedSince = before.cursor
            #expect(try await store.sessions(sessions).elements.map(\.id) == ["s-1"])
            sessions.changedSince = news.cursor
            #expect(try await store.sessions(sessions).elements.isEmpty)
        }
    }

    @Test
    func `an unknown session has no timeline, and an unknown trace no detail`() async throws {
        try await scratch.withStore { store in
            let timeline = try await store.timeline(TimelineQuery(session: "nobody"))
            #expect(timeline == nil)
            #expect(try await store.session("nobody") == nil)
            #expect(try await store.trace(TraceID(high: 1, low: 1)) == nil)
        }
    }

    @Test
    func `sessions are listed newest first, in pages, each exactly once`() async throws {
        try await scratch.withStore { store in
            for number in 0..<25 {
                let span = ShopFixture.span(
                    UInt64(100 + number), 1, "start", from: UInt64(number * 1_000), to: UInt64(number * 1_000 + 5),
                    ["session.id": "s-\(number)"],
                )
                try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [span]))
            }
            var query = SessionQuery(limit: 10)
            var seen: [String] = []
            var pages = 0
            repeat {
                let page = try await store.sessions(query)
                seen += page.elements.map(\.id)
                query.cursor = page.next
                pages += 1
            } while query.cursor != nil
            #expect(seen == (0..<25).reversed().map { "s-\($0)" })
            #expect(pages == 3)
        }
    }

    @Test(arguments: [
        ("checkout", true), ("CHECKOUT", true), ("iPhone16,1", true), ("demo.order.id=o-77", true),
        ("demo.order.id=o-78", false), ("server.port=8080", true), ("payment visa", true),
        ("payment mastercard", false),
        ("\"POST /api/checkout\"", true), ("s-1", true), ("100%", false), ("o_77", false), ("SIGILL", true),
        ("00000000000000a50000000000000002", true), ("00000000000000a50000000000000009", false),
    ])
    func `a search finds sessions by id, device, names and attributes`(text: String, isFound: Bool) async throws {
        try await scratch.withStore { store in
            try await Self.visit(store)
            let page = try await store.sessions(SessionQuery(text: text))
            #expect(page.elements.map(\.id) == (isFound ? ["s-1"] : []))
            #expect(page.isComplete)
        }
    }

    @Test
    func `a search finds values with quotes and line breaks`() async throws {
        try await scratch.withStore { store in
            let span = ShopFixture.span(
                1, 1, "say", from: 0, to: 1, ["session.id": "s-q", "text": "he said \"hello\"\nand left \\ now"],
            )
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [span]))
            #expect(try await store.sessions(SessionQuery(text: #"left \ now"#)).elements.count == 1)
            let detail = try #require(try await store.trace(TraceID(high: 0xA5, low: 1)))
            #expect(detail.spans[0].span.attributes["text"] == "he said \"hello\"\nand left \\ now")
        }
    }

    @Test
    func `sessions are filtered by service and by errors`() async throws {
        try await scratch.withStore { store in
            try await Self.visit(store)
            let quiet = ShopFixture.span(77, 1, "browse", from: 9_000, to: 9_001, ["session.id": "s-quiet"])
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [quiet]))
            #expect(try await store.sessions(SessionQuery(service: "shop-backend")).elements.map(\.id) == ["s-1"])
            #expect(try await store.sessions(SessionQuery(service: "astronomy-shop")).elements.count == 2)
            #expect(try await store.sessions(SessionQuery(onlyWithErrors: true)).elements.map(\.id) == ["s-1"])
            #expect(try await store.sessions(SessionQuery(service: "nobody")).elements.isEmpty)
        }
    }

    @Test
    func `lists are bounded by the time at which their entries began`() async throws {
        try await scratch.withStore { store in
            try await Self.visit(store)
            let late = ShopFixture.span(77, 1, "browse", from: 9_000, to: 9_001, ["session.id": "s-late"])
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [late]))
            let all: (sessions: [String], traces: [String], logs: Int) = (
                try await store.sessions().elements.map(\.id), try await store.traces().elements.map(\.name),
                try await store.logs().page.elements.count,
            )
            #expect(all.sessions == ["s-late", "s-1"])
            let boundary = Int64(ShopFixture.at(9_000))
            for (times, sessions, traces, logs) in [
                (0..<boundary, ["s-1"], Array(all.traces.dropFirst()), all.logs),
                (boundary..<boundary + 1, ["s-late"], ["browse"], 0),
                (boundary + 1..<Int64.max, [], [], 0),
            ] {
                var query = (session: SessionQuery(), trace: TraceQuery(), log: LogQuery())
                (query.session.times, query.trace.times, query.log.times) = (times, times, times)
                #expect(try await store.sessions(query.session).elements.map(\.id) == sessions)
                #expect(try await store.traces(query.trace).elements.map(\.name) == traces)
                #expect(try await store.logs(query.log).page.elements.count == logs)
            }
        }
    }

    @Test
    func `traces are bounded by their duration`() async throws {
        try await scratch.withStore { store in
            try await Self.visit(store)
            let durations = try await store.traces().elements.map { Int64($0.durationNano) }
            for bound in Set(durations) {
                var query = TraceQuery()
                query.durations = bound...Int64.max
                #expect(
                    try await store.traces(query).elements.map { Int64($0.durationNano) }
                        == durations.filter { $0 >= bound })
                query.durations = 0...bound
                #expect(
                    try await store.traces(query).elements.map { Int64($0.durationNano) }
                        == durations.filter { $0 <= bound })
            }
        }
    }

    @Test
    func `a trace whose root is named after its method shows the path`() async throws {
        try await scratch.withStore { store in
            let request = ShopFixture.span(78, 1, "GET", from: 0, to: 1, ["url.path": "/api/cart"])
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [request]))
            #expect(try await store.traces().elements.map(\.route) == ["/api/cart"])
        }
    }

    @Test
    func `the trace of an order is found by an attribute`() async throws {
        try await scratch.withStore { store in
            try await Self.visit(store)
            let spans = try await store.spans(where: "demo.order.id", equals: "o-77")
            #expect(spans.map(\.name) == ["charge"])
            let trace = try #require(spans.first?.traceID)
            #expect(try await store.services(inTrace: trace) == ["astronomy-shop", "shop-backend"])
            #expect(try await store.spans(where: "demo.order.id", equals: "o-7").isEmpty)
        }
    }

    @Test
    func `traces are listed with root, services, errors and session`() async throws {
        try await scratch.withStore { store in
            try await Self.visit(store)
            let traces = try await store.traces().elements
            try #require(traces.map(\.name) == ["CheckoutViewModel.placeOrder", "ProductList"])
            let checkout = traces[0]
            #expect(checkout.hasRoot)
            #expect(checkout.services == ["astronomy-shop", "shop-backend"])
            #expect(checkout.spans == 5)
            #expect(checkout.events == 1)
            #expect(checkout.errors == 3)
            #expect(checkout.durationNano == 900_000_000)
            #expect(checkout.sessions == ["s-1"])
            #expect(try await store.traces(TraceQuery(text: "quote")).elements.map(\.id) == [checkout.id])
            #expect(try await store.traces(TraceQuery(text: checkout.id.hex)).elements.map(\.id) == [checkout.id])
            #expect(try await store.traces(TraceQuery(service: "shop-backend", limit: 1)).elements.count == 1)
            #expect(try await store.traces(TraceQuery(onlyWithErrors: true)).elements.map(\.id) == [checkout.id])
        }
    }

    @Test(arguments: [
        ("exception.message=no card", [1]), ("exception.message=no c", [1]), ("queue.position=7", [2]),
        ("team=payments", [2]), ("team=cart", [1]), ("team=", [1, 2]), ("exception.message=7", []),
    ])
    func `a search of traces covers span events, links and scopes`(text: String, traces: [UInt64]) async throws {
        try await scratch.withStore { store in
            var failed = ShopFixture.span(1, 1, "charge", from: 0, to: 1)
            failed.events = [
                SpanEvent(name: "exception", timeUnixNano: 1, attributes: ["exception.message": "no card"])
            ]
            var linked = ShopFixture.span(2, 2, "receive", from: 2, to: 3)
            linked.links = [SpanLink(context: failed.context, attributes: ["queue.position": 7])]
            for (span, team) in [(failed, "cart"), (linked, "payments")] {
                let scope = InstrumentationScope(name: "shop", attributes: ["team": team])
                try await store.ingest(traces: [
                    ResourceGroup(
                        resource: ShopFixture.backend, scopes: [ScopeGroup(scope: scope, records: [span])])
                ])
            }
            let found = try await store.traces(TraceQuery(text: "\"\(text)\"")).elements.map(\.id.low)
            #expect(found.sorted() == traces)
        }
    }

    @Test
    func `metrics are listed by name with their series and latest points`() async throws {
        try await scratch.withStore { store in
            for second in 0..<5 {
                let gauge = MetricData(
                    name: "device.battery", unit: "1",
                    data: .gauge([
                        NumberPoint(
                            timeUnixNano: ShopFixture.at(UInt64(second) * 1_000), value: .double(Double(second)))
                    ]),
                )
                try await store.ingest(metrics: ShopFixture.group(ShopFixture.phone, [gauge]))
            }
            var query = MetricQuery()
            query.pointLimit = 3
            let metric = try #require(try await store.metrics(query).elements.first)
            #expect(metric.name == "device.battery")
            try #require(metric.series.count == 1)
            #expect(metric.series[0].points.map(\.value) == [2, 3, 4])
            #expect(metric.series[0].origin.service == "astronomy-shop")
            #expect(try await store.metrics(MetricQuery(session: "nobody")).elements.isEmpty)
        }
    }

    @Test
    func `services are listed with the number of their records`() async throws {
        try await scratch.withStore { store in
            try await Self.visit(store)
            let services = try await store.services()
            #expect(services.map(\.name) == ["astronomy-shop", "shop-backend"])
            #expect(services.map(\.side) == [.device, .backend])
            #expect(services.map(\.spans) == [5, 4])
            #expect(services.map(\.logs) == [3, 1])
        }
    }
}
