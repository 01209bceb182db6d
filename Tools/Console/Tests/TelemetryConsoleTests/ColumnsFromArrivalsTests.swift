import AstrolabePlatform
import AstrolabeTelemetryModel
import ConsoleModel
import ConsoleStore
import Foundation
import GRDB
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// Columns that are made while records arrive equal those that are made of the stored rows.
@Suite
struct ColumnsFromArrivalsTests {
    private static let start: UInt64 = 1_790_000_000_000_000_000
    private static let limits = RecordColumns.Limits(chunk: 50, segmentRows: 64, pieceRows: 16, waitingRows: 8)

    private let path: String

    init() throws {
        path = try Scratch.folder().appendingPathComponent("console.sqlite").path
    }

    private static func span(_ number: UInt64) -> SpanData {
        let trace = number / 3 + 1
        var span = SpanData(
            context: SpanContext(traceID: TraceID(high: 7, low: trace), spanID: SpanID(number + 1)),
            parentSpanID: number % 3 == 0 ? .invalid : SpanID(number), name: "span \(number % 5)", kind: .client,
            startTimeUnixNano: start + number, endTimeUnixNano: start + number * 2,
            attributes: ["number": Int64(number), "share": Double(number) / 7, "even": number % 2 == 0],
            status: number % 11 == 0 ? .error("no") : .unset)
        if number % 4 == 0 { span.attributes["session.id"] = .string("s-\(trace % 5)") }
        if number % 6 == 0 { span.attributes["list"] = ["a\n\"b\"", 1] }
        if number % 7 == 0 { span.attributes["key \(number)"] = "rare" }
        return span
    }

    private static func event(_ number: UInt64) -> LogRecordData {
        LogRecordData(
            timeUnixNano: start + number, severityNumber: 9, eventName: number % 3 == 0 ? "" : "event",
            body: ["text": "line \(number)"], attributes: ["number": Int64(number)])
    }

    private static func group<Record>(_ records: [Record], from service: String) -> [ResourceGroup<Record>] {
        [
            ResourceGroup(
                resource: Resource(attributes: ["service.name": service, "host.name": "a"]),
                scopes: [ScopeGroup(scope: InstrumentationScope(name: "test", version: "1"), records: records)])
        ]
    }

    /// The columns of a dataset: the bytes of each full segment, and the records of the others.
    private struct Contents: Equatable {
        var checksums: [UInt64] = []
        var rest: [[String: QueryValue]] = []
        var times: [Int64] = []

        init(_ segments: [Segment], segmentRows: Int) {
            for segment in segments {
                if segment.rowCount == segmentRows {
                    checksums.append(segment.checksum)
                    continue
                }
                for row in 0..<segment.rowCount {
                    let record = segment.record(at: row)
                    rest.append(record.fields)
                    times.append(record.time)
                }
            }
        }
    }

    private static func contents(
        _ source: QuerySource, segmentRows: Int = ColumnsFromArrivalsTests.limits.segmentRows,
    ) async throws -> [Contents] {
        let arrivals = try #require(await source.store.arrivals)
        return try await source.withColumns(of: [.spans, .events], from: arrivals) { columns in
            [Dataset.spans, .events].map { Contents(columns.segments(of: $0), segmentRows: segmentRows) }
        }
    }

    /// Runs `body` with a console's store and queries, as they are after a start.
    private func withSource<Value: Sendable>(
        _ configure: (inout StoreConfiguration) -> Void = { _ in },
        _ body: (SQLiteStore, QuerySource) async throws -> Value,
    ) async throws -> Value {
        var configuration = StoreConfiguration(path: path)
        configure(&configuration)
        let store = try await SQLiteStore(configuration)
        do {
            let value = try await body(store, QuerySource(store, limits: Self.limits))
            await store.close()
            return value
        } catch {
            await store.close()
            throw error
        }
    }

    @Test
    func `columns made while records arrive equal those made of the rows after a start, byte for byte`() async throws {
        let live = try await withSource { store, source in
            var (spans, events) = (UInt64(0), UInt64(0))
            for round in UInt64(1)...40 {
                let more = round * 7 % 23
                let service = round % 3 == 0 ? "shop" : "backend"
                try await store.ingest(traces: Self.group((spans..<spans + more).map(Self.span), from: service))
                spans += more
                if round % 2 == 0 {
                    try await store.ingest(logs: Self.group((events..<events + 5).map(Self.event), from: service))
                    events += 5
                }
                // As a console does, and as a query does.
                if round % 3 == 1 { try await source.prepare() }
                if round % 4 == 1 { _ = try await Self.contents(source) }
            }
            return try await Self.contents(source)
        }
        #expect(live.map(\.checksums.count).allSatisfy { $0 > 0 })
        #expect(live.map(\.rest.count).allSatisfy { $0 > 0 })
        try FileManager.default.removeItem(at: SegmentFiles.folder(beside: path))
        let again = try await withSource { _, source in try await Self.contents(source) }
        #expect(live == again)
    }

    /// Makes the store fail if a span is named `fails`.
    private func addFailure() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER failure BEFORE INSERT ON spans WHEN new.name = 'fails'
                    BEGIN SELECT RAISE(ABORT, 'the test says so'); END
                    """)
        }
        try queue.close()
    }

    @Test
    func `columns equal those of the rows after failures, retention and starts too`() async throws {
        let clock = Locked(UInt64(1_790_000_600_000_000_000))
        try await withSource { _, _ in }
        try addFailure()
        var live: [Contents] = []
        var number: UInt64 = 0
        for start in UInt64(0)..<5 {
            let (before, first) = (live, number)
            live = try await withSource {
                $0.now = { clock.withLock { $0 } }
                $0.elapsed = $0.now
                $0.retention.age = .seconds(3_600)
            } _: { store, source in
                // No segment has 0 rows, so these are the records of all.
                if start > 0 { #expect(try await Self.contents(source, segmentRows: 0) == before) }
                for round in UInt64(0)..<12 {
                    let spans = (first + round * 10..<first + round * 10 + 10).map(Self.span)
                    try await store.ingest(traces: Self.group(spans, from: "shop"))
                    if round % 3 == 0 {
                        try await store.ingest(logs: Self.group([Self.event(first + round)], from: "shop"))
                    }
                    if (round + start) % 5 == 2 {
                        var failing = Self.span(1_000_000)
                        failing.name = "fails"
                        let sent = Self.group([Self.span(1_000_001), failing], from: "shop")
                        await #expect(throws: StoreError.self) { try await store.ingest(traces: sent) }
                    }
                    if (round + start) % 6 == 1 {
                        clock.withLock { $0 += 1_200_000_000_000 }
                        try await store.applyRetention()
                    }
                    if round % 2 == 0 { try await source.prepare() }
                }
                return try await Self.contents(source, segmentRows: 0)
            }
            number += 120
            let files = SegmentFiles.folder(beside: path)
            if FileManager.default.fileExists(atPath: files.path) { try FileManager.default.removeItem(at: files) }
            #expect(live.allSatisfy { !$0.rest.isEmpty })
        }
    }

    @Test
    func `completion offers a value as soon as it has arrived, of a field that was counted before too`() async throws {
        try await withSource { store, source in
            let text = "count where name = "
            for number in UInt64(0)..<5 {
                try await store.ingest(traces: Self.group([Self.span(number)], from: "shop"))
                for _ in 0..<2 {
                    let offered = try await source.completions(at: text.count, in: text).items.map(\.text)
                    for known in 0...number { #expect(offered.contains { $0.contains("span \(known)") }) }
                    #expect(!offered.contains { $0.contains("span \(number + 1)") })
                }
            }
        }
    }

    @Test
    func `few segments stand for the records that are not sealed, and none is long`() async throws {
        try await withSource { store, source in
            for number in UInt64(0)..<63 {
                try await store.ingest(traces: Self.group([Self.span(number)], from: "shop"))
                let arrivals = try #require(store.arrivals)
                let sizes = try await source.withColumns(of: [.spans], from: arrivals) { columns in
                    columns.segments(of: .spans).map(\.rowCount)
                }
                #expect(sizes.reduce(0, +) == Int(number) + 1)
                // Each is longer than those after it, until it is a piece.
                #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 > $1 || $0 >= Self.limits.pieceRows })
                #expect(sizes.count <= 8)
            }
        }
    }
}
