import AstrolabeTelemetryModel
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

@Suite
struct SessionTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// The requests of one visit in their order of arrival.
    private static let arrivals: [@Sendable (SQLiteStore) async throws -> Void] = [
        { try await $0.ingest(traces: ShopFixture.group(ShopFixture.phone, Array(ShopFixture.phoneSpans()[..<2]))) },
        { try await $0.ingest(traces: ShopFixture.group(ShopFixture.phone, Array(ShopFixture.phoneSpans()[2...]))) },
        { try await $0.ingest(traces: ShopFixture.group(ShopFixture.backend, [ShopFixture.backendSpans()[0]])) },
        {
            try await $0.ingest(
                traces: ShopFixture.group(ShopFixture.backend, Array(ShopFixture.backendSpans()[1...])))
        },
        { try await $0.ingest(logs: ShopFixture.group(ShopFixture.phone, ShopFixture.events())) },
        { try await $0.ingest(logs: ShopFixture.group(ShopFixture.backend, ShopFixture.backendLogs())) },
        { try await $0.ingest(metrics: ShopFixture.group(ShopFixture.phone, ShopFixture.metrics())) },
    ]

    @Test
    func `a session summary combines phone and backend`() async throws {
        try await scratch.withStore { store in
            for arrive in Self.arrivals { try await arrive(store) }
            let session = try #require(try await store.session("s-1"))
            #expect(session.firstSeenUnixNano == ShopFixture.at(50))
            #expect(session.lastSeenUnixNano == ShopFixture.at(7_000))
            #expect(session.device.service == "astronomy-shop")
            #expect(session.device.modelIdentifier == "iPhone16,1")
            #expect(session.device.systemVersion == "18.1")
            #expect(session.side == .device)
            #expect(session.screens == ["ProductList", "Cart", "Checkout"])
            #expect(session.spans == 9)
            #expect(session.events == 4)
            #expect(session.errors == 3, "two failed spans and the backend's error log")
            #expect(session.crashes == 1)
            #expect(session.requests == 2)
            #expect(session.failedRequests == 1)
            #expect(session.traces == 2)
            #expect(session.activity.reduce(0) { $0 + $1.records } == 8, "the session's own spans and events")
            #expect(!session.isTrimmed)
        }
    }

    @Test
    func `the order of arrival and duplicates do not change sessions`() async throws {
        let expected = try await Scratch().withStore { store in
            for arrive in Self.arrivals { try await arrive(store) }
            return try await Self.facts(store)
        }
        #expect(expected.count == 1)
        // Heap's algorithm. The 7! orders are too many for real files, so the test uses every 211th.
        for (number, order) in Self.permutations(Self.arrivals.indices.map { $0 }).enumerated()
        where number.isMultiple(of: 211) {
            let facts = try await Scratch().withStore { store in
                for index in order { try await Self.arrivals[index](store) }
                for index in order.prefix(3) { try await Self.arrivals[index](store) }
                return try await Self.facts(store)
            }
            #expect(facts == expected, "order \(order)")
        }
    }

    @Test
    func `concurrent requests give the same result as sequential ones`() async throws {
        let expected = try await Scratch().withStore { store in
            for arrive in Self.arrivals { try await arrive(store) }
            return try await Self.facts(store)
        }
        let facts = try await scratch.withStore { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for arrive in Self.arrivals + Self.arrivals { group.addTask { try await arrive(store) } }
                try await group.waitForAll()
            }
            return try await Self.facts(store)
        }
        #expect(facts == expected)
    }

    @Test
    func `a backend span with the session id belongs to the session without a shared trace`() async throws {
        try await scratch.withStore { store in
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
            let own = ShopFixture.span(9, 91, "sendConfirmation", from: 6_000, to: 6_100, ["session.id": "s-1"])
            try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, [own]))
            let session = try #require(try await store.session("s-1"))
            #expect(session.spans == 6)
            #expect(session.traces == 3)
            #expect(
                session.device.service == "astronomy-shop", "a device names its service, also after a backend's record")
        }
    }

    @Test
    func `a session that only a resource names is found`() async throws {
        try await scratch.withStore { store in
            var resource = ShopFixture.phone
            resource.attributes["session.id"] = "s-resource"
            let gauge = MetricData(name: "cpu", data: .gauge([NumberPoint(timeUnixNano: 9, value: .double(0.25))]))
            try await store.ingest(metrics: ShopFixture.group(resource, [gauge]))
            let session = try #require(try await store.session("s-resource"))
            #expect(session.metricPoints == 1)
            #expect(session.firstSeenUnixNano == 9)
        }
    }

    @Test
    func `a session has the triggers that sent its records, the earliest first`() async throws {
        try await scratch.withStore { store in
            func promoted(_ id: UInt64, by trigger: String, at time: UInt64) -> SpanData {
                let marks: Attributes = ["session.id": "s-1", "astrolabe.recorder.trigger": trigger]
                return ShopFixture.span(6, id, "work", from: time, to: time + 10, marks)
            }
            let batches = [[promoted(61, by: "http", at: 500)], [promoted(62, by: "error", at: 100)]]
            for spans in batches { try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, spans)) }
            let request = LogRecordData(
                timeUnixNano: ShopFixture.at(50), severityNumber: 9, eventName: "astrolabe.recorder.promotion",
                attributes: ["session.id": "s-1", "astrolabe.recorder.trigger": "app"])
            try await store.ingest(logs: ShopFixture.group(ShopFixture.phone, [request]))
            #expect(try await store.session("s-1")?.triggers == ["error", "http"])
            let other = ShopFixture.span(7, 71, "other", from: 0, to: 10, ["session.id": "s-2"])
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [other]))
            func listed(_ promotion: SessionQuery.Promotion) async throws -> [String] {
                var query = SessionQuery()
                query.promotion = promotion
                return try await store.sessions(query).elements.map(\.id)
            }
            #expect(try await listed(.any) == ["s-1"])
            #expect(try await listed(.by(trigger: "http")) == ["s-1"])
            #expect(try await listed(.by(trigger: "app")) == [])
            #expect(try await listed(.absent) == ["s-2"])
        }
    }

    @Test
    func `two sessions in one trace count their own spans and share those without a session`() async throws {
        try await scratch.withStore { store in
            let spans = [
                ShopFixture.span(5, 51, "a", from: 0, to: 10, ["session.id": "s-a"]),
                ShopFixture.span(5, 52, "b", from: 0, to: 10, ["session.id": "s-b"]),
                ShopFixture.span(5, 53, "shared", from: 0, to: 10),
            ]
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, spans))
            #expect(try await store.session("s-a")?.spans == 2)
            #expect(try await store.session("s-b")?.spans == 2)
        }
    }

    /// Returns the summary without the numbers that depend on the order of arrival.
    private static func facts(_ store: SQLiteStore) async throws -> [SessionSummary] {
        try await store.sessions().elements.map { session in
            SessionSummary(
                id: session.id, number: 0, firstSeenUnixNano: session.firstSeenUnixNano,
                lastSeenUnixNano: session.lastSeenUnixNano, device: session.device, side: session.side,
                screens: session.screens, triggers: session.triggers, spans: session.spans, events: session.events,
                metricPoints: session.metricPoints, errors: session.errors, crashes: session.crashes,
                requests: session.requests, failedRequests: session.failedRequests, traces: session.traces,
                activity: session.activity, hasReplay: session.hasReplay, cursor: 0, isTrimmed: session.isTrimmed,
            )
        }
    }

    private static func permutations(_ values: [Int]) -> [[Int]] {
        guard let first = values.first else { return [[]] }
        return permutations(Array(values.dropFirst())).flatMap { rest in
            (0...rest.count).map { place in
                var order = rest
                order.insert(first, at: place)
                return order
            }
        }
    }
}
