import AstrolabePlatform
import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Foundation
import GRDB
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Columns of sessions in files: a start opens them, unless the sessions have changed.
@Suite(.timeLimit(.minutes(2)))
struct SessionFileTests {
    private let folder: URL
    private var path: String { folder.appendingPathComponent("console.sqlite").path }
    private var columns: URL { SegmentFiles.folder(beside: path) }

    init() throws {
        folder = try Scratch.folder()
    }

    private static func ingest(_ number: UInt64, of session: String, into store: any TelemetryStore) async throws {
        let span = SpanData(
            context: SpanContext(traceID: TraceID(high: 1, low: number), spanID: SpanID(number)),
            parentSpanID: SpanID(0), name: "work", kind: .internal, startTimeUnixNano: SystemTime.wall,
            endTimeUnixNano: SystemTime.wall + 1_000, attributes: ["session.id": session], status: .unset)
        _ = try await store.ingest(traces: [
            ResourceGroup(
                resource: Resource(attributes: ["service.name": "shop"]),
                scopes: [ScopeGroup(scope: InstrumentationScope(name: "test"), records: [span])])
        ])
    }

    /// Opens the store as a console does that starts, and closes it.
    private func withSource(
        milestones: ConversionEvents = ConversionEvents(),
        _ body: (any TelemetryStore, QuerySource) async throws -> Void,
    ) async throws {
        var configuration = StoreConfiguration(path: path)
        configuration.milestones = milestones
        let store = try await SQLiteStore(configuration)
        do {
            try await body(store, QuerySource(store))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private static func crashes(_ source: QuerySource) async throws -> Double? {
        let query = try Query(text: "sum(crashes) of sessions last 1d every total")
        return try await source.answer(query).result.rows.first?.values.totals.first?.number
    }

    /// Fills the store, has its sessions written, and changes them so that only a file has what was written.
    private func fill() async throws {
        try await withSource { store, source in
            for number in 1...3 { try await Self.ingest(UInt64(number), of: "s-\(number)", into: store) }
            #expect(try await Self.crashes(source) == 0)
            await source.saveSessions()
            #expect(files() == [])
            await source.saveSessions()
            #expect(files() == ["sessions-65535.segment"])
        }
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE sessions SET crashes = 2") }
    }

    private func files() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: columns.path)) ?? []).sorted()
    }

    @Test
    func `a start opens the sessions that an earlier run wrote, until one of them changes`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await fill()
        try await withSource { store, source in
            #expect(try await Self.crashes(source) == 0)
            try await Self.ingest(9, of: "s-2", into: store)
            #expect(try await Self.crashes(source) == 6)
        }
        // The file is of the sessions before the change.
        try await withSource { (_, source) async throws in
            #expect(try await Self.crashes(source) == 6)
            #expect(files() == [])
        }
    }

    @Test
    func `a file that is damaged, or of other names of milestones, is made again`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await fill()
        var milestones = ConversionEvents()
        milestones.conversions = ["other"]
        try await withSource(milestones: milestones) { (_, source) async throws in
            #expect(try await Self.crashes(source) == 6)
            #expect(files() == [])
        }
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE sessions SET crashes = 0") }
        try await fill()
        let file = try FileHandle(forWritingTo: columns.appendingPathComponent("sessions-65535.segment"))
        try file.seek(toOffset: 100)
        try file.write(contentsOf: Data([1, 2, 3, 4, 5]))
        try file.close()
        try await withSource { (_, source) async throws in #expect(try await Self.crashes(source) == 6) }
    }

    @Test
    func `an update says which share of the rows it has`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withSource { store, _ in try await Self.ingest(1, of: "s-1", into: store) }
        // The next sessions are in another block.
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE arrivals SET last_seq = 200000") }
        try await withSource { store, _ in
            for number in 2...4 { try await Self.ingest(UInt64(number), of: "s-\(number)", into: store) }
            let arrivals = try #require(store.arrivals)
            let owner = Locked<ColumnOwner?>(nil)
            let shares = Locked<[Double]>([])
            let columns = ColumnOwner(
                BlockReader {
                    try await arrivals.sessionBlocks()
                } records: { _ in
                    guard let owner = owner.withLock({ $0 }) else { return [] }
                    let share = await owner.progress
                    shares.withLock { $0.append(share) }
                    return []
                })
            owner.withLock { $0 = columns }
            try await columns.update()
            #expect(shares.withLock { $0 } == [0, 0.25])
            owner.withLock { $0 = nil }
        }
    }
}

/// The actor that the columns belong to.
private actor ColumnOwner {
    private let columns: ChangingColumns

    init(_ reader: BlockReader) { columns = ChangingColumns(reader, rowLimit: 1_000) }

    var progress: Double { columns.progress }

    func update() async throws { try await columns.update(isolation: self) }
}
