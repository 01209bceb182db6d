import AstrolabeTelemetryModel
import AstrolabeTestSupport
import ClickHouseFixture
import ConsoleModel
import Foundation
import TelemetryQuery
import Testing

@testable import ClickHouse

/// A database that a Collector made and filled, without the console: the exporter's documented columns and values.
@Suite(.enabled(if: ClickHouseServer.command != nil, "\(ClickHouseServer.isMissing)"), .timeLimit(.minutes(10)))
struct `Tables of a Collector` {
    private static let statements = [
        """
        CREATE TABLE otel_traces (
            Timestamp DateTime64(9) CODEC(Delta(8), ZSTD(1)), TraceId String, SpanId String, ParentSpanId String,
            TraceState String, SpanName LowCardinality(String), SpanKind LowCardinality(String),
            ServiceName LowCardinality(String), ResourceAttributes Map(LowCardinality(String), String),
            ScopeName String, ScopeVersion String, SpanAttributes Map(LowCardinality(String), String),
            Duration UInt64, StatusCode LowCardinality(String), StatusMessage String,
            Events Nested (Timestamp DateTime64(9), Name LowCardinality(String),
                Attributes Map(LowCardinality(String), String)),
            Links Nested (TraceId String, SpanId String, TraceState String,
                Attributes Map(LowCardinality(String), String)),
            INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1,
            INDEX idx_lower_span_name lower(SpanName) TYPE tokenbf_v1(32768, 3, 0) GRANULARITY 8)
        ENGINE = MergeTree PARTITION BY toDate(Timestamp) PRIMARY KEY (ServiceName, SpanName, toDateTime(Timestamp))
        ORDER BY (ServiceName, SpanName, toDateTime(Timestamp), Timestamp)
        """,
        """
        CREATE TABLE otel_traces_trace_id_ts (
            TraceId String, Start SimpleAggregateFunction(min, DateTime), End SimpleAggregateFunction(max, DateTime))
        ENGINE = AggregatingMergeTree PARTITION BY toStartOfWeek(Start) ORDER BY TraceId
        """,
        """
        CREATE MATERIALIZED VIEW otel_traces_trace_id_ts_mv TO otel_traces_trace_id_ts AS
        SELECT TraceId, min(Timestamp) AS Start, max(Timestamp) AS End FROM otel_traces WHERE TraceId != ''
        GROUP BY TraceId
        """,
        """
        CREATE TABLE otel_logs (
            Timestamp DateTime64(9), TimestampTime DateTime DEFAULT toDateTime(Timestamp), TraceId String,
            SpanId String, TraceFlags UInt8, SeverityText LowCardinality(String), SeverityNumber UInt8,
            ServiceName LowCardinality(String), Body String, ResourceSchemaUrl LowCardinality(String),
            ResourceAttributes Map(LowCardinality(String), String), ScopeSchemaUrl LowCardinality(String),
            ScopeName String, ScopeVersion LowCardinality(String),
            ScopeAttributes Map(LowCardinality(String), String), LogAttributes Map(LowCardinality(String), String),
            EventName String)
        ENGINE = MergeTree PARTITION BY toDate(TimestampTime) PRIMARY KEY (ServiceName, TimestampTime)
        ORDER BY (ServiceName, TimestampTime, Timestamp)
        """,
        """
        INSERT INTO otel_traces VALUES
        (1800000000.000000001, '4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7', '', 'ot=th:c', 'GET /cart',
         'Server', 'cart', {'service.name': 'cart', 'host.name': 'a'}, 'otelhttp', '0.6',
         {'http.route': '/cart', 'http.response.status_code': '500', 'session.id': 's1'}, 2500000, 'Error', 'boom',
         [1800000000.5], ['exception'], [{'exception.type': 'IOError'}], [], [], [], []),
        (1800000000.001, '4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b8', '00f067aa0ba902b7', '', 'SELECT',
         'Client', 'cart', {'service.name': 'cart'}, '', '', {}, 1000, 'Unset', '', [], [], [], [], [], [], [])
        """,
        """
        INSERT INTO otel_logs (Timestamp, TraceId, SpanId, TraceFlags, SeverityText, SeverityNumber, ServiceName,
            Body, ResourceSchemaUrl, ResourceAttributes, ScopeSchemaUrl, ScopeName, ScopeVersion, ScopeAttributes,
            LogAttributes, EventName) VALUES
        (1800000000.002, '4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7', 1, 'ERROR', 17, 'cart', 'disk full',
         '', {'service.name': 'cart'}, '', 'zap', '', {}, {'code.line.number': '42'}, '')
        """,
    ]

    @Test func `are read as they are, and nothing in them is changed`() async throws {
        try await ClickHouseDatabase.run { try await Self.read($0) }
    }

    private static func read(_ client: ClickHouseClient) async throws {
        let folder = TemporaryDirectory()
        let database = client.configuration.address.database
        try await client.execute(Statement("CREATE DATABASE \(database)"), inDatabase: false)
        for statement in statements { try await client.execute(Statement(statement)) }
        let before = try await definitions(client)
        var configuration = StoreConfiguration(path: folder.path + "/console.sqlite")
        configuration.now = { 1_800_000_010_000_000_000 }
        let store = try await ClickHouseStore(client.configuration, configuration)
        let after = try await definitions(client)
        for (name, definition) in before { #expect(after[name] == definition, "\(name)") }

        let id = try #require(TraceID(hex: "4bf92f3577b34da6a3ce929d0e0e4736"))
        let trace = try #require(try await store.trace(id))
        #expect(trace.spans.map(\.span.name) == ["GET /cart", "SELECT"])
        #expect(trace.spans.map(\.depth) == [0, 1])
        #expect(trace.spans.first?.span.durationNano == 2_500_000)
        #expect(trace.events.map(\.bodyText) == ["\"disk full\""])
        #expect(try await store.traces().elements.map(\.id) == [id])
        #expect(try await store.logs().page.elements.map(\.event.severity) == [17])
        #expect(try await store.services().map(\.name) == ["cart"])
        #expect(try await store.session("s1")?.errors == 2)

        let query = try Query(
            text: "count, p99(duration), max(http.response.status_code) by service.name where http.route = \"/cart\" "
                + "from 2027-01-15T07:00:00Z to 2027-01-15T09:00:00Z every total")
        let result = try await store.evaluate(try QueryPlan(query, now: 1_800_000_010_000_000_000))
        #expect(result.rows.map(\.key) == [[.string("cart")]])
        // The span was kept with a probability of a quarter.
        #expect(result.rows.first?.values.totals.first == .number(4))
        #expect(result.rows.first?.values.totals.last == .number(500))
        await store.close()
    }

    private static func definitions(_ client: ClickHouseClient) async throws -> [String: String] {
        let rows = try await client.rows(
            Statement("SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase()")
        ) { (try $0.string(), try $0.string()) }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}
