import AstrolabeTelemetryModel
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// A session with a phone whose clock differs from the backend's.
@Suite
struct ClockSkewTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// Stores seven requests of session "s-1", one each second, and reads the timeline.
    ///
    /// - Parameter ahead: How far the phone's clock is ahead of the backend's in milliseconds.
    private func timeline(
        ahead: Int64, jitter: [Int64] = [0], pageSize: Int = 100, hasServer: Bool = true,
    ) async throws -> (items: [(name: String, time: Int64)], shift: Int64) {
        try await scratch.withStore { store in
            for request in 0..<7 {
                let sent = 10_000_000 + UInt64(request) * 1_000
                let error = ahead + jitter[request % jitter.count]
                let client = ShopFixture.span(
                    UInt64(request), 1, "GET \(request)", kind: .client, from: sent, to: sent + 100,
                    ["session.id": "s-1"])
                let server = ShopFixture.span(
                    UInt64(request), 2, parent: 1, "server \(request)", kind: .server,
                    from: UInt64(Int64(sent + 30) - error), to: UInt64(Int64(sent + 70) - error))
                let log = LogRecordData(
                    timeUnixNano: ShopFixture.at(UInt64(Int64(sent + 50) - error)), body: "line",
                    traceID: client.context.traceID, spanID: SpanID(2))
                try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, [client]))
                guard hasServer else { continue }
                try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, [server]))
                try await store.ingest(logs: ShopFixture.group(ShopFixture.backend, [log]))
            }
            var items: [(String, Int64)] = []
            var query = TimelineQuery(session: "s-1", limit: pageSize)
            var shift: Int64 = 0
            repeat {
                let page = try #require(try await store.timeline(query))
                shift = page.backendShiftNano
                items += page.items.map { item in
                    let isBackend = page.origins[item.origin]?.side == .backend
                    let time = Int64(item.timeUnixNano) + (isBackend ? shift : 0)
                    return switch item {
                    case .span(let span): (span.name, time)
                    case .event: ("log", time)
                    }
                }
                query.cursor = page.next
            } while query.cursor != nil
            return (items, shift)
        }
    }

    private static let order = (0..<7).flatMap { ["GET \($0)", "server \($0)", "log"] }
    private static let hours2: Int64 = 2 * 60 * 60 * 1_000

    @Test(arguments: [hours2, -hours2])
    func `backend records stand inside the requests of a phone two hours off`(_ ahead: Int64) async throws {
        let (items, shift) = try await timeline(ahead: ahead)
        #expect(shift == ahead * 1_000_000)
        #expect(items.map(\.name) == Self.order)
        #expect(items.map(\.time) == items.map(\.time).sorted())
    }

    @Test
    func `the pages of one reading have one order`() async throws {
        #expect(try await timeline(ahead: Self.hours2, pageSize: 4).items.map(\.name) == Self.order)
    }

    @Test
    func `a few milliseconds of jitter are not corrected`() async throws {
        let (items, shift) = try await timeline(ahead: 3, jitter: [0, 2, -2, 1, -1])
        #expect(shift == 0)
        #expect(items.map(\.name) == Self.order)
    }

    @Test
    func `jitter and two requests recorded wrongly do not move the middle`() async throws {
        let (_, shift) = try await timeline(ahead: Self.hours2, jitter: [0, 4, -3, 1_000_000, 2, -5, -1_000_000])
        #expect(abs(shift - Self.hours2 * 1_000_000) <= 5_000_000)
    }

    @Test
    func `without requests that both recorded, nothing is moved`() async throws {
        let (items, shift) = try await timeline(ahead: Self.hours2, hasServer: false)
        #expect(shift == 0)
        #expect(items.count == 7)
    }

    @Test
    func `a trace and its session use the same estimate`() async throws {
        let (_, shift) = try await timeline(ahead: Self.hours2)
        let trace = try await scratch.withStore { try await $0.trace(TraceID(high: 0xA5, low: 3)) }
        #expect(trace?.spans.last?.shiftNano == shift)
    }

    @Test
    func `a range of times is one of the phone's clock`() async throws {
        _ = try await timeline(ahead: Self.hours2)
        try await scratch.withStore { store in
            var query = TimelineQuery(session: "s-1")
            query.times = ShopFixture.at(10_003_000)...ShopFixture.at(10_003_999)
            let page = try await store.timeline(query)
            #expect(page?.items.count == 3)
        }
    }
}
