import QueryOracle
import Testing

@testable import TelemetryQuery

@Suite
struct ServiceMapTests {
    private static let time = TimeRange.between(from: 0, to: 1_000_000_000_000)

    private static func span(
        _ service: String, _ kind: String, _ id: UInt64, parent: UInt64? = nil, duration: Int64 = 100,
        weight: Double = 1, _ more: [String: QueryValue] = [:],
    ) -> QueryRecord {
        var fields: [String: QueryValue] = [
            "resource.service.name": .string(service), "kind": .string(kind), "span.id": .string(hex(id)),
            "duration": .int(duration), "status": .string("unset"),
        ]
        if let parent { fields["parent.id"] = .string(hex(parent)) }
        return QueryRecord(time: 5, adjustedCount: weight, fields: fields.merging(more) { $1 })
    }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func map(_ spans: [QueryRecord]) async throws -> ServiceMap {
        var table = ColumnTable()
        for span in spans { table.append(span) }
        return try await QueryEngine().serviceMap(time, now: 0, over: table.segments())
    }

    @Test
    func `an edge has what the caller saw, and a request that never arrived counts for the service it was sent to`()
        async throws
    {
        let address: [String: QueryValue] = ["server.address": .string("10.0.0.1"), "server.port": .int(80)]
        let phone: [String: QueryValue] = address.merging(["resource.app.installation.id": .string("i")]) { $1 }
        let map = try await Self.map([
            Self.span("app", "client", 1, duration: 100, phone),
            Self.span("shop", "server", 2, parent: 1, duration: 60),
            Self.span("app", "client", 3, duration: 120, phone.merging(["status": .string("error")]) { $1 }),
            Self.span("shop", "client", 4, parent: 2, duration: 7, ["db.system.name": .string("sqlite")]),
            Self.span("shop", "client", 5, parent: 2, duration: 9, ["server.address": .string("bank.example")]),
            Self.span("shop", "internal", 6, parent: 2, ["app.installation.id": .string("i")]),
            Self.span("shop", "server", 7, parent: 99, duration: 50),
        ])
        #expect(
            map.edges.map {
                "\($0.from) \($0.to) \($0.toKind) \($0.calls.count) \($0.calls.errors) \($0.calls.p99 ?? 0)"
            }
                == [
                    "app shop service 2.0 1.0 120.0", "shop bank.example host 1.0 0.0 9.0",
                    "shop sqlite database 1.0 0.0 7.0",
                ])
        #expect(
            map.nodes.map { "\($0.name) \($0.kind) \($0.handled.count) \($0.made.count)" } == [
                "app device 0.0 2.0", "bank.example host 1.0 0.0", "shop service 2.0 2.0", "sqlite database 1.0 0.0",
            ])
        #expect(map.spansWithoutCaller == 1)
    }

    @Test
    func `a client span with a URL alone is a call, to a service if that host is one`() async throws {
        func url(_ text: String, _ key: String = "url.full") -> [String: QueryValue] { [key: .string(text)] }
        let map = try await Self.map([
            Self.span("web", "client", 1, url("https://shop.example/api/cart?id=1", "http.url")),
            Self.span("web", "client", 2, url("https://shop.example/api/products")),
            Self.span("web", "client", 3, url("https://me:secret@bank.example:8443/pay")),
            Self.span("web", "client", 4, url("http://[::1]:80/")),
            Self.span("web", "client", 5, url("/relative")), Self.span("web", "client", 6, url("data:text/plain,x")),
            Self.span("web", "internal", 7, url("https://nobody.example")),
            Self.span("app", "client", 8, url("https://shop.example/api/cart")),
            Self.span("shop", "server", 9, parent: 8), Self.span("app", "client", 10, url("https://shop.example/")),
        ])
        #expect(
            map.edges.map { "\($0.from) \($0.to) \($0.toKind) \($0.calls.count)" } == [
                "app shop service 2.0", "web [::1] host 1.0", "web bank.example host 1.0", "web shop.example host 2.0",
            ])
        #expect(map.nodes.first { $0.name == "web" }?.made.count == 4)
    }

    @Test
    func `sampled spans stand for those that were not recorded`() async throws {
        let map = try await Self.map([
            Self.span("app", "client", 1, weight: 8), Self.span("shop", "server", 2, parent: 1, weight: 8),
            Self.span("app", "client", 3, weight: 2, ["status": .string("error")]),
            Self.span("shop", "server", 4, parent: 3, weight: 2),
        ])
        #expect(map.edges.map(\.calls.count) == [10])
        #expect(map.edges.map(\.calls.errors) == [2])
        #expect(map.nodes.map(\.handled.count) == [0, 10])
    }

    @Test
    func `the p99 of an edge is no longer than its longest call`() async throws {
        let map = try await Self.map([
            Self.span("app", "client", 1, duration: 3_530_000_000),
            Self.span("shop", "server", 2, parent: 1, duration: 3_520_000_000),
        ])
        #expect(map.edges.map(\.calls.p99) == [3_530_000_000])
        #expect(map.nodes.map(\.handled.p99) == [nil, 3_520_000_000])
    }

    @Test
    func `random maps are those of the oracle`() async throws {
        for seed in 0..<UInt64(300) {
            var random = SeededNumbers(seed: seed)
            var spans: [QueryRecord] = []
            for id in 1...UInt64(Int.random(in: 1...60, using: &random)) {
                var more: [String: QueryValue] = ["status": .string(random.chance(20) ? "error" : "ok")]
                if random.chance(30) { more["db.system.name"] = .string(random.pick(["sqlite", "redis"])) }
                if random.chance(50) { more["server.address"] = .string(random.pick(["a", "b"])) }
                if random.chance(30) {
                    more["url.full"] = .string(
                        random.pick(["https://a/x", "http://b:80/y?z#q", "https://me:pw@a?q", "/c", "mailto:d", ""]))
                }
                if random.chance(30) { more["server.port"] = random.pick([.int(80), .string("80"), .int(443)]) }
                if random.chance(5) { more["resource.app.installation.id"] = .string("i") }
                if random.chance(5) { more["resource.service.name"] = .missing }
                spans.append(
                    Self.span(
                        random.pick(["app", "shop", "bank"]),
                        random.pick(["client", "server", "internal", "producer"]),
                        id, parent: random.chance(60) ? UInt64.random(in: 1...70, using: &random) : nil,
                        duration: Int64.random(in: 0..<10_000, using: &random), weight: random.pick([1, 1, 4, 0]), more,
                    ))
            }
            // A parent has one server span, as the last to arrive decides otherwise.
            var parents: Set<QueryValue> = []
            spans.removeAll { span in
                guard let parent = span.fields["parent.id"] else { return false }
                return !parents.insert(parent).inserted
            }
            var table = ColumnTable()
            for span in spans {
                table.append(span)
                if random.chance(5) { table.seal() }
            }
            let found = try await QueryEngine().serviceMap(Self.time, now: 0, over: table.segments())
            let expected = try NaiveServiceMap.evaluate(Self.time, now: 0, over: spans)
            #expect(Self.rounded(found) == Self.rounded(expected), "seed \(seed)")
            for (edge, wanted) in zip(found.edges, expected.edges) {
                #expect(Self.isNear(edge.calls.p99, wanted.calls.p99), "seed \(seed)")
            }
            for (node, wanted) in zip(found.nodes, expected.nodes) {
                #expect(Self.isNear(node.handled.p99, wanted.handled.p99), "seed \(seed)")
                #expect(Self.isNear(node.made.p99, wanted.made.p99), "seed \(seed)")
            }
        }
    }

    /// Without the percentiles, which have an error.
    private static func rounded(_ map: ServiceMap) -> ServiceMap {
        var map = map
        for index in map.edges.indices { map.edges[index].calls.p99 = nil }
        for index in map.nodes.indices {
            map.nodes[index].handled.p99 = nil
            map.nodes[index].made.p99 = nil
        }
        return map
    }

    private static func isNear(_ value: Double?, _ wanted: Double?) -> Bool {
        guard let value, let wanted else { return value == nil && wanted == nil }
        return abs(value - wanted) <= 0.0079 * wanted + 1e-9
    }
}
