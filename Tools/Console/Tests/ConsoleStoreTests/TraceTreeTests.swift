import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Testing

@Suite
struct TraceTreeTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// Stores the spans of trace 1, each with its own resource, and reads the tree.
    private func tree(_ spans: [(Resource, SpanData)]) async throws -> [TraceNode] {
        try await scratch.withStore { store in
            for (resource, span) in spans { try await store.ingest(traces: ShopFixture.group(resource, [span])) }
            return try #require(try await store.trace(TraceID(high: 0xA5, low: 1))).spans
        }
    }

    @Test
    func `spans follow their parents, siblings by their start`() async throws {
        let nodes = try await tree([
            (ShopFixture.phone, ShopFixture.span(1, 3, parent: 1, "second", from: 50, to: 60)),
            (ShopFixture.phone, ShopFixture.span(1, 4, parent: 2, "leaf", from: 12, to: 15)),
            (ShopFixture.phone, ShopFixture.span(1, 1, "root", from: 0, to: 100)),
            (ShopFixture.phone, ShopFixture.span(1, 2, parent: 1, "first", from: 10, to: 20)),
        ])
        #expect(nodes.map(\.span.name) == ["root", "first", "leaf", "second"])
        #expect(nodes.map(\.depth) == [0, 1, 2, 1])
        #expect(nodes.map(\.descendants) == [3, 1, 0, 0])
        #expect(nodes.map(\.parent) == [nil, 0, 1, 0])
    }

    @Test
    func `the critical path leads back from the end through what was waited for`() async throws {
        let nodes = try await tree([
            (ShopFixture.phone, ShopFixture.span(1, 1, "root", from: 0, to: 100)),
            (ShopFixture.phone, ShopFixture.span(1, 2, parent: 1, "early", from: 0, to: 30)),
            (ShopFixture.phone, ShopFixture.span(1, 3, parent: 1, "beside", from: 32, to: 60)),
            (ShopFixture.phone, ShopFixture.span(1, 4, parent: 1, "late", from: 30, to: 90)),
            (ShopFixture.phone, ShopFixture.span(1, 5, parent: 4, "within", from: 40, to: 80)),
        ])
        let critical = Set(nodes.filter(\.isCritical).map(\.span.name))
        #expect(critical == ["root", "early", "late", "within"])
    }

    @Test
    func `a span that only waits for its children is not on the critical path`() async throws {
        let nodes = try await tree([
            (ShopFixture.phone, ShopFixture.span(1, 1, "root", from: 0, to: 1_000)),
            (ShopFixture.phone, ShopFixture.span(1, 2, parent: 1, "wrapper", from: 100, to: 900)),
            (ShopFixture.phone, ShopFixture.span(1, 3, parent: 2, "request", from: 100, to: 897)),
            (ShopFixture.phone, ShopFixture.span(1, 4, parent: 3, "server", from: 300, to: 700)),
            (ShopFixture.phone, ShopFixture.span(1, 5, parent: 1, "after the root", from: 950, to: 3_000)),
        ])
        // The wrapper has 3 ms for itself, which is less than 1 % of the trace.
        let critical = nodes.filter(\.isCritical).map(\.span.name)
        #expect(critical == ["root", "request", "server", "after the root"])
        let parts = nodes.flatMap(\.criticalParts).sorted { $0.lowerBound < $1.lowerBound }
        #expect(parts.first?.lowerBound == ShopFixture.at(0))
        #expect(parts.last?.upperBound == ShopFixture.at(1_000))
        #expect(
            zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }, "each moment counts once")
    }

    @Test
    func `a parent that has not arrived, a span that is its own parent, and a circle all stay visible`() async throws {
        let nodes = try await tree([
            (ShopFixture.phone, ShopFixture.span(1, 1, parent: 99, "orphan", from: 0, to: 10)),
            (ShopFixture.phone, ShopFixture.span(1, 2, parent: 2, "itself", from: 20, to: 30)),
            (ShopFixture.phone, ShopFixture.span(1, 3, parent: 4, "chicken", from: 40, to: 50)),
            (ShopFixture.phone, ShopFixture.span(1, 4, parent: 3, "egg", from: 45, to: 50)),
        ])
        #expect(Set(nodes.map(\.span.name)) == ["orphan", "itself", "chicken", "egg"])
        #expect(nodes.filter(\.isOrphan).map(\.span.name) == ["orphan", "itself", "chicken"])
        #expect(nodes.last?.span.name == "egg")
        #expect(nodes.last?.depth == 1)
    }

    @Test
    func `a server whose clock is wrong is moved into its client's span, and what it calls moves along`() async throws {
        let nodes = try await tree([
            (ShopFixture.phone, ShopFixture.span(1, 1, "GET", kind: .client, from: 10_000, to: 10_100)),
            (ShopFixture.backend, ShopFixture.span(1, 2, parent: 1, "GET", kind: .server, from: 2_000, to: 2_060)),
            (ShopFixture.backend, ShopFixture.span(1, 3, parent: 2, "query", from: 2_010, to: 2_030)),
        ])
        #expect(nodes[0].shiftNano == 0)
        #expect(nodes[1].startUnixNano == ShopFixture.at(10_020))
        #expect(nodes[2].startUnixNano == ShopFixture.at(10_030))
        #expect(nodes[2].shiftNano == nodes[1].shiftNano)
    }

    @Test
    func `clocks that agree are left alone`() async throws {
        let nodes = try await tree([
            (ShopFixture.phone, ShopFixture.span(1, 1, "GET", kind: .client, from: 0, to: 100)),
            (ShopFixture.backend, ShopFixture.span(1, 2, parent: 1, "GET", kind: .server, from: 5, to: 95)),
            (ShopFixture.backend, ShopFixture.span(1, 3, parent: 2, "later", kind: .producer, from: 90, to: 300)),
        ])
        #expect(nodes.allSatisfy { $0.shiftNano == 0 })
    }
}
