import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import ConsoleStore
import Foundation
import GRDB
import QueryOracle
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Columns in files: they are of this store, of its records and whole, or they are made again.
@Suite(.timeLimit(.minutes(10)))
struct SegmentFileTests {
    /// Small, so that a test has several files.
    private static let limits = RecordColumns.Limits(chunk: 7, segmentRows: 16, pieceRows: 5, waitingRows: 5)
    private static let start: UInt64 = 1_790_000_000_000_000_000

    private let folder: URL
    private var path: String { folder.appendingPathComponent("console.sqlite").path }
    private var columns: URL { SegmentFiles.folder(beside: path) }

    init() throws {
        folder = try Scratch.folder()
    }

    // A store of spans that are named after their number

    private static func ingest(_ numbers: Range<UInt64>, into store: SQLiteStore) async throws {
        let spans = numbers.map { number in
            SpanData(
                context: SpanContext(traceID: TraceID(high: 7, low: number + 1), spanID: SpanID(number + 1)),
                parentSpanID: SpanID(0), name: "span \(number % 5)", kind: .internal,
                startTimeUnixNano: start + number, endTimeUnixNano: start + number + 1_000,
                attributes: ["number": Int64(number), "even": number % 2 == 0], status: .unset)
        }
        _ = try await store.ingest(traces: [
            ResourceGroup(
                resource: Resource(attributes: ["service.name": "shop"]),
                scopes: [ScopeGroup(scope: InstrumentationScope(name: "test"), records: spans)])
        ])
    }

    /// Opens the store as a console does that starts, and closes it.
    private func withStore<Value>(
        _ configure: (inout StoreConfiguration) -> Void = { _ in },
        _ body: (SQLiteStore) async throws -> Value,
    ) async throws -> Value {
        var configuration = StoreConfiguration(path: path)
        configure(&configuration)
        let store = try await SQLiteStore(configuration)
        do {
            let value = try await body(store)
            await store.close()
            return value
        } catch {
            await store.close()
            throw error
        }
    }

    private static func rows(_ source: QuerySource) async throws -> [[Double?]] {
        let query = try Query(text: "count, sum(number) by name, even last 3650d every total limit 100")
        return try await source.answer(query).result.rows.sorted { "\($0.key)" < "\($1.key)" }
            .map { $0.values.totals.map(\.number) }
    }

    /// The values of the rows without any column.
    private static func truth(_ store: SQLiteStore) async throws -> [[Double?]] {
        let records = try await RecordReader(store: store, dataset: .spans).records(
            after: 0, through: .max, limit: 1_000_000)
        let query = try Query(text: "count, sum(number) by name, even last 3650d every total limit 100")
        let plan = try QueryPlan(query, now: Int64(clamping: store.configuration.now()))
        return NaiveEvaluator.evaluate(plan, over: records.records.map(\.record), related: nil).rows
            .sorted { "\($0.key)" < "\($1.key)" }.map { $0.values.totals.map(\.number) }
    }

    private static func expectRight(
        _ source: QuerySource, _ store: SQLiteStore, _ comment: Comment? = nil,
        at location: SourceLocation = #_sourceLocation,
    ) async throws {
        #expect(try await rows(source) == truth(store), comment, sourceLocation: location)
    }

    private func files() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: columns.path)) ?? []).sorted()
    }

    /// Fills the store with 100 spans, 96 of which are in six files.
    private func fill() async throws {
        try await withStore { store in
            try await Self.ingest(0..<100, into: store)
            try await Self.expectRight(QuerySource(store, limits: Self.limits), store)
        }
        try #require(files().count == 6)
    }

    /// Changes the database without the store.
    private func edit(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func removeDatabase() throws {
        for file in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }
    }

    // A start

    @Test
    func `a console that starts again reads its files, and from the database only what is newer`() async throws {
        try await fill()
        // The names in the database would be in an answer that reads it.
        try edit("UPDATE spans SET name = 'from the database'")
        try await withStore { store in
            let source = QuerySource(store, limits: Self.limits)
            let answer = try await source.answer(Query(text: "count by name last 3650d every total"))
            let counts = Dictionary(
                uniqueKeysWithValues: answer.result.rows.map {
                    ("\($0.key[0].text ?? "")", $0.values.totals[0].number)
                })
            #expect(counts["from the database"] == 4)
            #expect(counts.count == 6)
        }
    }

    @Test
    func `files have the mode of private files`() async throws {
        try await fill()
        for file in files() {
            let path = columns.appendingPathComponent(file).path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        let folder = try FileManager.default.attributesOfItem(atPath: columns.path)
        #expect(folder[.posixPermissions] as? Int == 0o700)
    }

    enum Damage: CaseIterable {
        case missing, empty, truncated, changedByte, otherFormat, longer, fileOfOtherRecords, folderInstead
    }

    @Test(arguments: Damage.allCases)
    func `a file that is not as it was written is made again`(damage: Damage) async throws {
        try await fill()
        let file = columns.appendingPathComponent(files()[2])
        let intact = try Data(contentsOf: file)
        switch damage {
        case .missing: try FileManager.default.removeItem(at: file)
        case .empty: try Data().write(to: file)
        case .truncated: try intact.prefix(intact.count / 2).write(to: file)
        case .changedByte:
            var bytes = intact
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: file)
        case .otherFormat:
            var bytes = intact
            bytes[8] = 0
            try bytes.write(to: file)
        case .longer: try (intact + Data([0])).write(to: file)
        case .fileOfOtherRecords:
            try Data(contentsOf: columns.appendingPathComponent(files()[3])).write(to: file)
        case .folderInstead:
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        }
        try await withStore { store in try await Self.expectRight(QuerySource(store, limits: Self.limits), store) }
        if damage != .folderInstead { #expect(try Data(contentsOf: file) == intact) }
    }

    @Test
    func `files that were made by an earlier version are made again`() async throws {
        try await fill()
        try edit("UPDATE sealed SET version = 0; UPDATE spans SET name = 'renamed'")
        try await withStore { store in try await Self.expectRight(QuerySource(store, limits: Self.limits), store) }
        #expect(files().count == 6)
    }

    @Test
    func `files of another store are not taken, and removed`() async throws {
        try await fill()
        try removeDatabase()
        try await withStore { store in
            try await Self.ingest(1_000..<1_050, into: store)
            try await Self.expectRight(QuerySource(store, limits: Self.limits), store)
        }
        #expect(files().count == 3)
    }

    @Test
    func `an older copy of the database does not take the files of the newer one`() async throws {
        try await fill()
        try edit("VACUUM INTO '\(path).copy'")
        try await withStore { store in
            try await Self.ingest(100..<150, into: store)
            try await Self.expectRight(QuerySource(store, limits: Self.limits), store)
        }
        #expect(files().count == 9)
        try removeDatabase()
        try FileManager.default.moveItem(atPath: path + ".copy", toPath: path)
        try await withStore { store in
            try await Self.ingest(5_000..<5_030, into: store)
            try await Self.expectRight(QuerySource(store, limits: Self.limits), store)
        }
        #expect(files().count == 8)
    }

    // Failures

    @Test
    func `without space for a file the columns stay in memory, and the answer is right`() async throws {
        try await withStore { store in
            let source = QuerySource(store, limits: Self.limits)
            try await Self.ingest(0..<100, into: store)
            try await Self.expectRight(source, store)
            let ends = files().compactMap { Int($0.filter(\.isNumber)) }.sorted()
            let step = ends[5] - ends[4]
            // A write to this device ends as one to a full disk does.
            for number in 1...3 {
                let name = "spans-\(ends[5] + number * step).segment.new"
                try FileManager.default.createSymbolicLink(
                    atPath: columns.appendingPathComponent(name).path, withDestinationPath: "/dev/full")
            }
            try await Self.ingest(100..<150, into: store)
            try await Self.expectRight(source, store)
            #expect(files().count == 6)
        }
        try await withStore { store in try await Self.expectRight(QuerySource(store, limits: Self.limits), store) }
        #expect(files().count == 9)
    }

    @Test
    func `a process that is killed while it seals leaves files that are whole, or made again`() async throws {
        let folder = folder.path
        // Later rounds are killed when more files are whole.
        for round in Thoroughness.isThorough ? Array(0..<5) : [0, 4] {
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, round = round as Int] in
                let store = try await SQLiteStore(StoreConfiguration(path: folder + "/console.sqlite"))
                let source = QuerySource(store, limits: RecordColumns.Limits(chunk: 7, segmentRows: 16))
                let files = folder + "/console.sqlite-columns"
                // A file that is being written has this name.
                Thread.detachNewThread {
                    while true {
                        let names = try? FileManager.default.contentsOfDirectory(atPath: files)
                        if let names, names.count > 4 * round, names.contains(where: { $0.hasSuffix(".new") }) {
                            kill(getpid(), SIGKILL)
                        }
                    }
                }
                for batch in UInt64(0)..<300 {
                    let first = UInt64(round) * 1_000_000 + batch * 20
                    try await SegmentFileTests.ingest(first..<first + 20, into: store)
                    _ = try await SegmentFileTests.rows(source)
                }
                kill(getpid(), SIGKILL)
            }
            try await withStore { store in
                try await Self.expectRight(QuerySource(store, limits: Self.limits), store, "round \(round)")
            }
        }
        #expect(files().count > 8)
    }

    // Retention

    @Test
    func `files go with their records`() async throws {
        let clock = Locked(Self.start)
        try await withStore {
            $0.now = { clock.withLock { $0 } }
            $0.elapsed = $0.now
            $0.retention.age = .seconds(3_600)
        } _: { store in
            let source = QuerySource(store, limits: Self.limits)
            try await Self.ingest(0..<40, into: store)
            clock.withLock { $0 += 1_800_000_000_000 }
            try await Self.ingest(40..<80, into: store)
            try await Self.expectRight(source, store)
            #expect(files().count == 5)
            clock.withLock { $0 += 2_400_000_000_000 }
            try await store.applyRetention()
            try await Self.expectRight(source, store)
            // The file of the records from both times is gone, too; the rest of it is in memory.
            #expect(files().count == 2)
            clock.withLock { $0 += 9_000_000_000_000 }
            try await store.applyRetention()
            #expect(try await Self.rows(source) == [])
            #expect(files() == [])
        }
        // The sequence numbers go on, so that what arrives after a start is not taken for removed.
        try await withStore { store in
            try await Self.ingest(200..<240, into: store)
            let source = QuerySource(store, limits: Self.limits)
            #expect(try await Self.rows(source).count == 10)
            try await Self.expectRight(source, store)
        }
    }

    @Test
    func `what is left of a file after retention is not read again`() async throws {
        let clock = Locked(Self.start)
        try await withStore {
            $0.now = { clock.withLock { $0 } }
            $0.elapsed = $0.now
            $0.retention.age = .seconds(3_600)
        } _: { store in
            let source = QuerySource(store, limits: Self.limits)
            try await Self.ingest(0..<40, into: store)
            clock.withLock { $0 += 4_000_000_000_000 }
            try await Self.ingest(40..<80, into: store)
            _ = try await Self.rows(source)
            try await DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE spans SET name = 'read again'") }
            try await store.applyRetention()
            // Ten names and parities have four records each. Records that were read again would have one name.
            #expect(try await Self.rows(source).map { $0[0] } == Array(repeating: 4, count: 10))
        }
    }

    @Test
    func `a query that runs while retention removes files answers from what it began with`() async throws {
        try await withStore {
            $0.retention.bytes = 1 << 20
        } _: { store in
            let source = QuerySource(store, limits: Self.limits)
            try await Self.ingest(0..<8_000, into: store)
            let plan = try QueryPlan(
                Query(text: "count last 3650d every total"), now: Int64(clamping: store.configuration.now()))
            try await source.withColumns(of: [.spans], from: store) { columns in
                let report = try await store.applyRetention()
                #expect(report.evictedRecords > 0)
                try await Self.expectRight(source, store)
                let result = try await columns.engine.evaluate(plan, over: columns.segments(of: .spans))
                #expect(result.rows[0].values.totals[0].number == 8_000)
            }
        }
    }

    // What a query waits for

    @Test
    func `a query that would wait long says what is being done, and how far it is`() async throws {
        try await withStore { store in
            try await Self.ingest(0..<1_000, into: store)
            let hasty = QuerySource(store, limits: Self.limits, timeout: .zero)
            do {
                _ = try await hasty.answer(Query(text: "count"))
                Issue.record("expected an error")
            } catch QueryRefusal.preparing(let dataset, let share) {
                #expect(dataset == .spans)
                #expect((0...1).contains(share))
                let failure = APIFailure(QueryRefusal.preparing(dataset, share: share))
                #expect(failure.message.contains("columns of spans are being made from the stored records"))
            }
            // The update goes on without a query.
            try await hasty.prepare()
            #expect(files().count == 62)
        }
    }

    @Test
    func `preparation seals what arrived before anyone asks`() async throws {
        try await withStore { store in
            let source = QuerySource(store, limits: Self.limits)
            try await Self.ingest(0..<40, into: store)
            try await source.prepare()
            #expect(files().count == 2)
            try await Self.ingest(40..<44, into: store)
            try await source.prepare()
            #expect(files().count == 2)
            try await Self.ingest(44..<60, into: store)
            try await source.prepare()
            #expect(files().count == 3)
        }
    }

    @Test
    func `the fields of a record change only together with the version of the files`() async throws {
        try await withStore { store in
            try await Self.ingest(3..<4, into: store)
            let reader = RecordReader(store: store, dataset: .spans)
            let records = try await reader.records(after: 0, through: .max, limit: 1).records
            #expect(RecordReader.version == 3)
            let fields = try #require(records.first).record.fields.filter { !$0.value.isMissing }
            let known: [String: QueryValue] = [
                "name": .string("span 3"), "duration": .int(1_000), "status": .string("unset"),
                "kind": .string("internal"), "trace.id": .string("00000000000000070000000000000004"),
                "span.id": .string("0000000000000004"), "number": .int(3), "even": .bool(false),
                "resource.service.name": .string("shop"), "scope.name": .string("test"),
            ]
            #expect(Set(fields.keys) == Set(known.keys).union(["arrived", "delay"]))
            #expect(fields.merging(known) { $1 } == fields)
        }
    }
}
