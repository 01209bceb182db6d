import AstrolabeTelemetryModel
import AstrolabeTestSupport
import ClickHouseFixture
import Foundation
import Testing

@testable import ClickHouse

@Suite(.enabled(if: ClickHouseServer.command != nil, "\(ClickHouseServer.isMissing)"), .timeLimit(.minutes(10)))
struct `Writing to ClickHouse` {
    private let folder = TemporaryDirectory()

    private static func withTables(_ body: (ClickHouseClient) async throws -> Void) async throws {
        try await ClickHouseDatabase.run { client in
            try await SchemaMigrator(client).run()
            try await body(client)
        }
    }

    @Test func `makes the tables once, however often and from wherever`() async throws {
        try await ClickHouseDatabase.run { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await SchemaMigrator(client).run() } }
                try await group.waitForAll()
            }
            try await SchemaMigrator(client).run()
            #expect(try await SchemaMigrator(client).version() == SchemaMigrator.version)
            let names = try await client.rows(
                Statement("SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name")
            ) { try $0.string() }
            for table in OTelTable.allCases { #expect(names.contains(table.rawValue)) }
        }
    }

    @Test func `refuses the tables of a later version`() async throws {
        try await Self.withTables { client in
            try await client.execute(Statement("INSERT INTO astrolabe_migrations (version) VALUES (99)"))
            await #expect(throws: ClickHouseError.newerSchema(found: 99, supported: SchemaMigrator.version)) {
                try await SchemaMigrator(client).run()
            }
        }
    }

    @Test func `stores every part of a span, a log record and a metric as the exporter does`() async throws {
        try await Self.withTables { client in
            let writer = ClickHouseWriter(client, now: { Sample.time })
            try await writer.write(traces: Sample.traces(count: 1, trace: 7))
            try await writer.write(logs: Sample.logs)
            try await writer.write(metrics: Sample.metrics)
            let span = try await client.rows(
                Statement(
                    """
                    SELECT toString([TraceId, SpanId, ParentSpanId, TraceState, SpanName, SpanKind, ServiceName, ScopeName, \
                    StatusCode, StatusMessage, SpanAttributes['text'], SpanAttributes['whole'], SpanAttributes['half'], \
                    SpanAttributes['flag'], SpanAttributes['list'], ResourceAttributes['os.version'], Events.Name[1], \
                    Events.Attributes[1]['why'], Links.TraceId[1]]), toUnixTimestamp64Nano(Timestamp), Duration \
                    FROM otel_traces
                    """)
            ) { (try $0.string(), try $0.integer(Int64.self), try $0.integer(UInt64.self)) }
            #expect(
                span.first?.0
                    == """
                    ['00000000000000070000000000000001','0000000000000001','00000000000000ff','ot=th:8','GET /api/é',\
                    'Client','shop','lib','Error','it''s broken','a\\'b\\\\c\\n','500','2.5','true','["x",1]','18.1',\
                    'exception','because','00000000000000000000000000000009']
                    """.replacing("''", with: "\\'"))
            #expect(span.first?.1 == 1_800_000_000_000_000_001)
            #expect(span.first?.2 == 1_500)
            let log = try await client.rows(
                Statement(
                    "SELECT concat(EventName, '|', Body, '|', SeverityText, '|', LogAttributes['session.id']) FROM otel_logs"
                )
            ) { try $0.string() }
            #expect(log == ["app.crash|{\"reason\":\"memory\"}|FATAL|s1"])
            var counts: [UInt64] = []
            for table in [OTelTable.gauges, .sums, .histograms, .exponentialHistograms, .summaries] {
                counts += try await client.rows(Statement("SELECT count() FROM \(table.rawValue)")) { try $0.integer() }
            }
            #expect(counts == [1, 1, 1, 1, 1])
            let bounds = try await client.rows(
                Statement("SELECT ExplicitBounds, BucketCounts, Exemplars.Value, Max FROM otel_metrics_histogram")
            ) { reader in
                (
                    try reader.array { try $0.double() }, try reader.array { try $0.integer(UInt64.self) },
                    try reader.array { try $0.double() }, try reader.double(),
                )
            }
            #expect(bounds.first?.0 == [1, 2])
            #expect(bounds.first?.1 == [3, 4, 5])
            #expect(bounds.first?.2 == [1.5])
            #expect(bounds.first?.3 == 9)
        }
    }

    @Test func `stores the rows of a repeated insert once`() async throws {
        try await Self.withTables { client in
            let groups = Sample.traces(count: 10, trace: 1)
            for _ in 0..<3 { try await ClickHouseWriter(client, now: { Sample.time }).write(traces: groups) }
            #expect(try await Self.spans(client) == (10, 10))
        }
    }

    @Test func `loses nothing and doubles nothing when the server is killed while it is written to`() async throws {
        let server = try await ClickHouseServer(folder: URL(fileURLWithPath: folder.path))
        let client = try server.client()
        try await SchemaMigrator(client).run()
        var configuration = client.configuration
        configuration.insertAttempts = 100
        let writer = ClickHouseWriter(ClickHouseClient(configuration), now: { Sample.time })
        let (inserts, inserted) = AsyncStream.makeStream(of: Void.self)
        let (requests, size) = (Thoroughness.count(30, thorough: 60), 200)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for request in 1...requests {
                group.addTask {
                    try await writer.write(traces: Sample.traces(count: size, trace: UInt64(request)))
                    inserted.yield()
                }
            }
            var current = server
            // Each kill is with requests on their way.
            for await _ in inserts.prefix(Thoroughness.count(1, thorough: 2)) {
                await current.kill()
                // Meanwhile, a connection of another program may have the port.
                var next: ClickHouseServer?
                try await eventually("ClickHouse listens again") {
                    next = try? await ClickHouseServer(folder: URL(fileURLWithPath: folder.path), port: server.port)
                    return next != nil
                }
                current = try #require(next)
            }
            try await group.waitForAll()
            #expect(try await Self.spans(client) == (UInt64(requests * size), UInt64(requests * size)))
            await current.kill()
        }
    }

    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `says how many rows it stores in a second`() async throws {
        try await Self.withTables { client in
            let writer = ClickHouseWriter(client, now: { Sample.time })
            let batches = (1...UInt64(100)).map { Sample.traces(count: 500, trace: $0) }
            let elapsed = try await ContinuousClock().measure {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for batch in batches { group.addTask { try await writer.write(traces: batch) } }
                    try await group.waitForAll()
                }
            }
            print("ClickHouse stored 50,000 spans in \(elapsed).")
            #expect(try await Self.spans(client) == (50_000, 50_000))
        }
    }

    private static func spans(_ client: ClickHouseClient) async throws -> (rows: UInt64, ids: UInt64) {
        let rows = try await client.rows(Statement("SELECT count(), uniqExact(TraceId, SpanId) FROM otel_traces")) {
            (try $0.integer(UInt64.self), try $0.integer(UInt64.self))
        }
        return rows.first ?? (0, 0)
    }
}
