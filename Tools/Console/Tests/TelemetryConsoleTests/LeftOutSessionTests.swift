import AstrolabePlatform
import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Foundation
import GRDB
import Logging
import Testing

@testable import TelemetryBoards
@testable import TelemetryConsole
@testable import TelemetryQuery

/// Queries that join more sessions than the console reads.
@Suite(.timeLimit(.minutes(2)))
struct LeftOutSessionTests {
    private static let hour: UInt64 = 3_600_000_000_000
    /// Only the newest block of sessions.
    private static let limits = RecordColumns.Limits(sessions: 1)

    private static func ingest(_ session: String, at time: UInt64, into store: any TelemetryStore) async throws {
        let span = SpanData(
            context: SpanContext(traceID: TraceID(high: 1, low: time), spanID: SpanID(time)),
            parentSpanID: SpanID(0), name: "work", kind: .internal, startTimeUnixNano: time,
            endTimeUnixNano: time + 1_000, attributes: ["session.id": session], status: .unset)
        _ = try await store.ingest(traces: [
            ResourceGroup(
                resource: Resource(attributes: ["service.name": "shop"]),
                scopes: [ScopeGroup(scope: InstrumentationScope(name: "test"), records: [span])])
        ])
    }

    /// Runs `body` with a store of a session of two hours ago, and one of now in the next block.
    private static func withTwoBlocks(_ body: (any TelemetryStore, URL) async throws -> Void) async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = StoreConfiguration(path: folder.appendingPathComponent("console.sqlite").path)
        let now = SystemTime.wall
        let first = try await SQLiteStore(configuration)
        try await ingest("old", at: now - 2 * hour, into: first)
        await first.close()
        let file = try DatabaseQueue(path: configuration.path)
        try await file.write { try $0.execute(sql: "UPDATE arrivals SET last_seq = 200000") }
        try file.close()
        let second = try await SQLiteStore(configuration)
        do {
            try await ingest("new", at: now, into: second)
            try await body(second, folder)
        } catch {
            await second.close()
            throw error
        }
        await second.close()
    }

    @Test
    func `a join names the sessions of its time that are left out`() async throws {
        try await Self.withTwoBlocks { store, _ in
            let source = QuerySource(store, limits: Self.limits)
            func answer(_ text: String) async throws -> (count: Double?, warnings: [String]) {
                let answer = try await source.answer(Query(text: text + " every total"))
                return (answer.result.rows.first?.values.totals.first?.number, answer.warnings)
            }
            let warning =
                "Up to 1 older sessions are left out, also as sessions of records: the console reads the newest 1. "
                + "Ask for a later time."
            let joined = try await answer("count where session.crashed = false last 1d")
            #expect(joined.count == 1)
            #expect(joined.warnings == [warning])
            #expect(try await answer("count of sessions last 1d").warnings == [warning])
            let later = try await answer("count where session.crashed = false last 1h")
            #expect(later.count == 1)
            #expect(later.warnings == [])
            let plain = try await answer("count last 1d")
            #expect(plain.count == 2)
            #expect(plain.warnings == [])
        }
    }

    @Test
    func `an alert on such a join is unknown, and says so where it is checked`() async throws {
        try await Self.withTwoBlocks { store, folder in
            let source = QuerySource(store, limits: Self.limits)
            let boards = folder.appendingPathComponent("boards")
            try FileManager.default.createDirectory(at: boards, withIntermediateDirectories: true)
            let board =
                "title: A\nalerts:\n  - {name: B, query: count where session.crashed = false, above: 5, window: 24h}\n"
            try Data(board.utf8).write(to: boards.appendingPathComponent("mine.yaml"))
            let monitor = AlertMonitor(
                boards: BoardLibrary(folder: boards), queries: source, logger: Logger(label: "test"))
            let changes = await monitor.evaluate(at: source.now).filter { $0.status.board == "mine" }
            #expect(changes.map(\.change) == [.unknown])
            #expect(changes.first?.status.state.failure?.hasPrefix("Up to 1 older sessions are left out") == true)
            var text = JSONText()
            try text.append(try await source.answer(Query(text: "count where session.crashed = false last 1d")))
            #expect(text.string.contains(#""incomplete":true"#))
            text = JSONText()
            try text.append(try await source.answer(Query(text: "count where session.crashed = false last 1h")))
            #expect(!text.string.contains("incomplete"))
        }
    }
}
