import AstrolabeTelemetryModel
import AstrolabeTestSupport
import GRDB
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

@Suite struct `A file of a version of the console` {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `has a step for each version`() {
        #expect(StoreFile.steps.count == Schema.version)
    }

    @Test(arguments: ReleasedStore.versions)
    func `keeps its records and gets the tables of a new file`(version: Int) async throws {
        try await ReleasedStore.write(version, to: scratch.path)
        try await scratch.withStore { store in
            try await ReleasedStore.expectRecords(of: version, in: store)
            let span = SpanData(
                context: SpanContext(traceID: TraceID(high: 0xA5, low: 2), spanID: SpanID(24)), flags: 0x101,
                name: "new", startTimeUnixNano: ShopFixture.at(5_060), endTimeUnixNano: ShopFixture.at(5_100))
            try await store.ingest(traces: ShopFixture.group(ShopFixture.backend, [span]))
            let trace = try #require(try await store.trace(span.context.traceID))
            #expect(trace.spans.first { $0.span.name == "new" }?.span.flags == 0x101)
            #expect(try await store.session("s-1")?.spans == 3)
        }
        let new = try Scratch()
        try await new.withStore { _ in }
        #expect(try await Contents(scratch.path) == Contents(new.path))
    }

    /// The default covers each step once: version 1 takes all of them.
    @Test(arguments: Thoroughness.isThorough ? Array(ReleasedStore.versions.dropLast()) : [1])
    func `is of its own version or today's after a kill at any statement of its upgrade`(version: Int) async throws {
        try await ReleasedStore.write(version, to: scratch.path)
        let before = try await Contents(scratch.path)
        var copies: [Scratch] = []
        let pool = try StoreFile.open(StoreConfiguration(path: scratch.path)) { database in
            // With a small cache, pages reach the log before the commit, as those of a large file do.
            try database.execute(sql: "PRAGMA cache_size = 1")
            copies.append(try scratch.copy())
        }
        copies.append(try scratch.copy())
        try pool.close()
        #expect(copies.count == Array(StoreFile.steps.dropFirst(version).joined()).count + 2)
        for (moment, copy) in copies.enumerated() {
            let contents = try await Contents(copy.path)
            if moment < copies.count - 1 {
                #expect(contents == before, "statement \(moment)")
            } else {
                #expect(contents.version == Schema.version)
            }
            try await copy.withStore { try await ReleasedStore.expectRecords(of: version, in: $0) }
        }
    }

    @Test func `places records without a time at their arrival`() async throws {
        // As version 8 stored a span and a log record without a time.
        try await ReleasedStore.write(
            8, to: scratch.path,
            changes: """
                UPDATE logs SET time = 0;
                UPDATE spans SET start = 0, duration = 0, resource = 1;
                UPDATE traces SET first_start = \(Schema.never), last_end = 0;
                """)
        let arrival: UInt64 = 29_833_333 * 60_000_000_000
        try await scratch.withStore { store in
            let events = try await store.logs().page.elements.map(\.event)
            #expect(events.count == 2)
            for event in events {
                #expect(event.timeUnixNano == arrival && event.observedUnixNano == arrival && event.sentUnixNano == 0)
            }
            let starts = try await store.traces().elements.map(\.startUnixNano)
            #expect(starts == [arrival])
        }
    }

    /// The version and the objects of a file that has no damage.
    private struct Contents: Hashable {
        let version: Int
        let objects: [String]

        init(_ path: String) async throws {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            version = try await queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
            objects = try await queue.read { database in
                try String.fetchAll(database, sql: "SELECT name || ifnull(sql, '') FROM sqlite_master ORDER BY 1")
            }
            let damage = try await queue.read { try String.fetchAll($0, sql: "PRAGMA quick_check") }
            #expect(damage == ["ok"])
        }
    }
}
