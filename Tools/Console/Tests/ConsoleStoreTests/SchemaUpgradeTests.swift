import AstrolabeTelemetryModel
import GRDB
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

@Suite struct `A file of an earlier version` {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `has a step for each version`() {
        #expect(StoreFile.steps.count == Schema.version)
    }

    @Test(arguments: 1..<Schema.version)
    func `keeps its records and gets the tables of a new file`(version: Int) async throws {
        let queue = try DatabaseQueue(path: scratch.path)
        try await queue.write { database in
            for statement in StoreFile.steps.prefix(version).joined() { try database.execute(sql: statement) }
            try database.execute(sql: Self.records)
            try database.execute(
                sql: "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(version)")
        }
        try queue.close()
        try await scratch.withStore { store in
            let trace = try #require(try await store.trace(TraceID(high: 0, low: 1)))
            #expect(trace.spans.map(\.span.name) == ["old span"])
            #expect(trace.events.map(\.name) == ["old.event"])
            #expect(try await store.metrics().elements.first?.series.first?.points.first?.value == 2.5)
            try await store.ingest(traces: ShopFixture.group(ShopFixture.phone, ShopFixture.phoneSpans()))
            #expect(try await store.session("s-1")?.spans == 5)
        }
        let new = try Scratch()
        try await new.withStore { _ in }
        #expect(try await Self.schema(scratch.path) == Self.schema(new.path))
    }

    @Test func `places records without a time at their arrival`() async throws {
        let queue = try DatabaseQueue(path: scratch.path)
        try await queue.write { database in
            for statement in StoreFile.steps.prefix(8).joined() { try database.execute(sql: statement) }
            try database.execute(sql: Self.records)
            // As version 8 stored a span and a log record without a time.
            try database.execute(
                sql: """
                    UPDATE logs SET time = 0;
                    UPDATE traces SET first_start = \(Schema.never), last_end = 0;
                    UPDATE arrivals SET minute = 29833333;
                    PRAGMA application_id = \(Schema.applicationID);
                    PRAGMA user_version = 8
                    """)
        }
        try queue.close()
        let arrival: UInt64 = 29_833_333 * 60_000_000_000
        try await scratch.withStore { store in
            let event = try #require(try await store.logs().page.elements.first?.event)
            #expect(event.timeUnixNano == arrival && event.observedUnixNano == arrival && event.sentUnixNano == 0)
            #expect(try await store.traces().elements.map(\.startUnixNano) == [arrival])
        }
    }

    private static func schema(_ path: String) async throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try await queue.read { database in
            try String.fetchAll(database, sql: "SELECT name || ifnull(sql, '') FROM sqlite_master ORDER BY 1")
        }
    }

    private static let records = """
        INSERT INTO resources (id, hash_high, hash_low, service, lane, attributes, last_seq)
            VALUES (1, 1, 1, 'shop', 0, '{"service.name":"shop"}', 1);
        INSERT INTO scopes (id, hash_high, hash_low, name, version, attributes, last_seq)
            VALUES (2, 2, 2, 'old scope', '1.0', '{}', 2);
        INSERT INTO traces VALUES (3, 0, 1, 1000, 2000, 1, 1, 0, 0, 1000, 1, 4, 0, 0, 0, 0, 5);
        INSERT INTO spans (seq, trace, span, parent, session, resource, scope, kind, category, status, start,
            duration, name) VALUES (4, 3, 1, 0, 0, 1, 2, 1, 0, 0, 1000, 1000, 'old span');
        INSERT INTO logs (seq, uid_high, uid_low, trace, span, session, resource, scope, category, severity, time,
            name) VALUES (5, 5, 5, 3, 1, 0, 1, 2, 8, 9, 1500, 'old.event');
        INSERT INTO series (id, hash_high, hash_low, name, description, unit, kind, temporality, monotonic, resource,
            scope, session, last_seq) VALUES (6, 6, 6, 'old metric', '', '', 0, 0, 0, 1, 2, 0, 6);
        INSERT INTO points (seq, series, time, start, value) VALUES (7, 6, 1000, 500, 2.5);
        INSERT INTO arrivals VALUES (1, 7);
        """
}
