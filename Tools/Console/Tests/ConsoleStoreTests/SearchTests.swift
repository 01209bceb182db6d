import AstrolabeTelemetryModel
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// Searches of lists that the walk through the list in its order does not finish.
@Suite
struct SearchTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// Runs `body` with a store of 40 sessions, each with a trace and a log record, three of which have a rare word.
    private func withStore(
        walk: Duration, scan: Duration = .seconds(600), _ body: (SQLiteStore) async throws -> Void,
    ) async throws {
        var limits = StoreConfiguration.Limits()
        limits.searchWalk = walk
        limits.searchScan = scan
        let store = try await scratch.store(limits: limits)
        do {
            for number in 0..<40 {
                let session: Attributes = ["session.id": "s-\(number)"]
                let word = [3, 17, 31].contains(number) ? "rare" : "common"
                let color = number.isMultiple(of: 2) ? "red" : "blue"
                let span = ShopFixture.span(
                    UInt64(number + 1), UInt64(number + 1), "\(word) span", from: UInt64(number * 1_000),
                    to: UInt64(number * 1_000 + 5), session)
                let log = LogRecordData(
                    timeUnixNano: ShopFixture.at(UInt64(number * 1_000 + 1)), severityNumber: 9,
                    body: .string("\(word) \(color)"), attributes: session, traceID: span.context.traceID)
                let resource = number == 5 ? ShopFixture.backend : ShopFixture.phone
                try await store.ingest(traces: ShopFixture.group(resource, [span]))
                try await store.ingest(logs: ShopFixture.group(resource, [log]))
            }
            try await body(store)
            await store.close()
        } catch {
            await store.close()
            throw error
        }
    }

    @Test(arguments: [Duration.zero, .seconds(600)])
    func `a rare word is found in one page of each list, however far the walk comes`(walk: Duration) async throws {
        try await withStore(walk: walk) { store in
            let sessions = try await store.sessions(SessionQuery(text: "rare"))
            #expect(sessions.elements.map(\.id) == ["s-31", "s-17", "s-3"])
            #expect(sessions.isComplete && sessions.next == nil)
            let traces = try await store.traces(TraceQuery(text: "rare"))
            #expect(traces.elements.map(\.id.low) == [32, 18, 4])
            #expect(traces.isComplete && traces.next == nil)
            let logs = try await store.logs(LogQuery(text: "rare")).page
            #expect(logs.elements.map(\.session) == ["s-31", "s-17", "s-3"])
            #expect(logs.isComplete && logs.next == nil)
        }
    }

    @Test(arguments: [Duration.zero, .seconds(600)])
    func `a word that is nowhere has one answer`(walk: Duration) async throws {
        try await withStore(walk: walk) { store in
            let sessions = try await store.sessions(SessionQuery(text: "nowhere"))
            #expect(sessions.elements.isEmpty && sessions.isComplete && sessions.next == nil)
            let traces = try await store.traces(TraceQuery(text: "nowhere"))
            #expect(traces.elements.isEmpty && traces.isComplete && traces.next == nil)
            let logs = try await store.logs(LogQuery(text: "nowhere")).page
            #expect(logs.elements.isEmpty && logs.isComplete && logs.next == nil)
        }
    }

    @Test(arguments: [Duration.zero, .seconds(600)])
    func `all words and the service must match, and pages have each entry once`(walk: Duration) async throws {
        try await withStore(walk: walk) { store in
            #expect(try await store.sessions(SessionQuery(text: "rare blue")).elements.count == 3)
            #expect(try await store.sessions(SessionQuery(text: "rare red")).elements.isEmpty)
            #expect(try await store.traces(TraceQuery(text: "rare blue span")).elements.count == 3)
            let service = "shop-backend"
            #expect(try await store.sessions(SessionQuery(service: service)).elements.map(\.id) == ["s-5"])
            #expect(try await store.traces(TraceQuery(service: service)).elements.map(\.id.low) == [6])
            #expect(try await store.traces(TraceQuery(text: "common", service: service)).elements.count == 1)
            #expect(try await store.logs(LogQuery(text: "blue", service: service)).page.elements.count == 1)
            #expect(try await store.sessions(SessionQuery(text: "rare", service: service)).elements.isEmpty)

            var query = SessionQuery(text: "common", limit: 5)
            var found: [String] = []
            repeat {
                let page = try await store.sessions(query)
                #expect(page.elements.count <= 5)
                found += page.elements.map(\.id)
                query.cursor = page.next
            } while query.cursor != nil
            #expect(found == (0..<40).reversed().filter { ![3, 17, 31].contains($0) }.map { "s-\($0)" })
        }
    }

    @Test
    func `a search that is repeated finds what has arrived since`() async throws {
        try await withStore(walk: .zero) { store in
            #expect(try await store.sessions(SessionQuery(text: "rare")).elements.count == 3)
            let late = ShopFixture.span(
                21, 900, "rare span", from: 20_001, to: 20_002, ["session.id": "s-20"])
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [late]))
            let sessions = try await store.sessions(SessionQuery(text: "rare"))
            #expect(sessions.elements.map(\.id) == ["s-31", "s-20", "s-17", "s-3"])
            #expect(sessions.isComplete && sessions.next == nil)
            #expect(try await store.traces(TraceQuery(text: "rare")).elements.map(\.id.low) == [32, 21, 18, 4])
        }
    }

    @Test
    func `without time to read all records, a page says how far the search came`() async throws {
        try await withStore(walk: .zero, scan: .zero) { store in
            var query = SessionQuery(text: "rare")
            var found: [String] = []
            var pages = 0
            repeat {
                let page = try await store.sessions(query)
                #expect(page.isComplete == (page.next == nil))
                found += page.elements.map(\.id)
                query.cursor = page.next
                pages += 1
            } while query.cursor != nil
            #expect(found == ["s-31", "s-17", "s-3"])
            #expect(pages > 1)
        }
    }

    @Test(arguments: [
        ("4bf92f3577b34da6a3ce929d0e0e4736", [true, false, true, true]),
        ("4BF92F3577B34DA6A3CE929D0E0E4736", [true, false, true, true]),
        ("trace.id=4bf92f3577b34da6a3ce929d0e0e4736", [true, false, false, false]),
        ("traceId=4bf92f3577b34da6a3ce929d0e0e4736", [true, false, false, false]),
        ("trace_id=4bf92f3577b34da6a3ce929d0e0e4736", [true, false, false, false]),
        ("00f067aa0ba902b7", [false, true, true, true]), ("span.id=00f067aa0ba902b7", [false, true, false, false]),
        ("SpanID=00f067aa0ba902b7", [false, true, false, false]), ("session.id=x", [false, false, true, false]),
        ("app.installation.id=x", [false, false, false, true]), ("i-1", [false, false, true, true]),
    ])
    func `a term is read as the ids that it can be`(term: String, kinds: [Bool]) throws {
        let id = try #require(RecordID(term))
        #expect([id.trace != nil, id.span != nil, id.session != nil, id.installation != nil] == kinds)
    }

    @Test(arguments: [
        "checkout", "http.route=/api/cart", "trace.id=4bf9", "span.id=x", "session.id=", "", "=",
        "trace.id=00000000000000000000000000000000",
    ])
    func `a word or an attribute is no id`(term: String) {
        #expect(RecordID(term) == nil)
    }
}
