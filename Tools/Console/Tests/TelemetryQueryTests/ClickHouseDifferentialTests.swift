import AstrolabeTestSupport
import ClickHouseFixture
import ConsoleModel
import NIOCore
import QueryOracle
import Testing

@testable import ClickHouse
@testable import TelemetryQuery

/// ClickHouse gives what the oracle gives.
@Suite(.enabled(if: ClickHouseServer.command != nil, "\(ClickHouseServer.isMissing)"), .timeLimit(.minutes(10)))
struct ClickHouseDifferentialTests {
    private static let rounds = Thoroughness.count(60, thorough: 20_000)
    private static let queriesOfTable = Thoroughness.count(10, thorough: 50)

    @Test(arguments: [Dataset.spans, .events])
    func `random queries give the same result from ClickHouse as record by record`(dataset: Dataset) async throws {
        let server = try await ClickHouseDatabase.server
        var (said, refused) = (0, [String: Int]())
        for start in stride(from: 0, to: UInt64(Self.rounds) / 2, by: Self.queriesOfTable) {
            var random = SeededNumbers(seed: start)
            let records = (0..<Int.random(in: 0..<60, using: &random)).map { index in
                ExportedRecord(RandomRecords.record(using: &random), dataset, index, using: &random)
            }
            let database = "\(dataset.rawValue)\(start)"
            let client = try server.client(database: database)
            try await SchemaMigrator(client).run()
            try await ExportedRecord.insert(records, dataset, with: client)
            let related = ExportedRelations(records.map(\.record), dataset)
            for seed in start..<(start + UInt64(Self.queriesOfTable)) {
                var source = RandomQuery(seed: seed)
                var query = source.query()
                query.dataset = dataset
                guard let plan = try? QueryPlan(query, now: RandomRecords.now) else { continue }
                let found: QueryResult
                do {
                    found = try await client.evaluate(plan)
                } catch let error as QueryError {
                    refused[String(error.message.prefix(60)), default: 0] += 1
                    continue
                }
                said += 1
                let expected = NaiveEvaluator.evaluate(plan, over: records.map(\.record), related: related)
                if seed % 10 == 0, let difference = try await Self.recordsDiffer(query, client, records, related) {
                    Issue.record("seed \(seed), the records of: \(query)\n\(difference)")
                    return
                }
                if let difference = DifferentialTests.difference(found, expected, query) {
                    Issue.record("seed \(seed), \(records.count) records: \(query)\n\(difference)")
                    return
                }
            }
            try await client.execute(Statement("DROP DATABASE `\(database)`"), inDatabase: false)
        }
        print("ClickHouse said \(said) of \(Self.rounds / 2) queries of \(dataset.rawValue), and refused \(refused).")
        #expect(said > Self.rounds / 6)
    }

    @Test func `percentiles from ClickHouse lie between the least and the largest number`() async throws {
        let server = try await ClickHouseDatabase.server
        var random = SeededNumbers(seed: 1)
        let durations: [Int64] = [3_530_000_000, 3_529_000_000]
        let records = durations.enumerated().map { index, duration in
            let fields: [String: QueryValue] = ["name": .string("GET"), "duration": .int(duration)]
            return ExportedRecord(
                QueryRecord(time: RandomRecords.now - 1_000_000, fields: fields), .spans, index, using: &random)
        }
        let client = try server.client(database: "percentiles")
        try await SchemaMigrator(client).run()
        try await ExportedRecord.insert(records, .spans, with: client)
        let text = "min(duration), p50(duration), p95(duration), p999(duration), max(duration) every total"
        let found = try await client.evaluate(QueryPlan(Query(text: text), now: RandomRecords.now))
        let ordered = try #require(found.rows.first).values.totals.compactMap(\.number)
        #expect(ordered.count == 5)
        #expect(ordered == ordered.sorted())
        try await client.execute(Statement("DROP DATABASE `percentiles`"), inDatabase: false)
    }

    @Test func `random queries of sessions give what plain counting gives`() async throws {
        let server = try await ClickHouseDatabase.server
        var (said, refused) = (0, 0)
        for start in stride(from: 0, to: UInt64(Self.rounds) / 5, by: Self.queriesOfTable) {
            var random = SeededNumbers(seed: start)
            let (spans, events) = Self.recordsOfSessions(using: &random)
            let client = try server.client(database: "sessions\(start)")
            try await SchemaMigrator(client).run()
            try await ExportedRecord.insert(spans, .spans, with: client)
            try await ExportedRecord.insert(events, .events, with: client)
            let sessions = ExportedSessions(
                spans: spans.map(\.record), events: events.map(\.record), ConversionEvents())
            for seed in start..<(start + UInt64(Self.queriesOfTable)) {
                var source = RandomQuery(seed: seed, fields: ExportedSessions.fields + ExportedSessions.fields)
                var query = source.query()
                query.dataset = .sessions
                guard let plan = try? QueryPlan(query, now: RandomRecords.now) else { continue }
                let found: QueryResult
                do {
                    found = try await client.evaluate(plan)
                } catch is QueryError {
                    refused += 1
                    continue
                }
                said += 1
                let expected = NaiveEvaluator.evaluate(plan, over: sessions.records, related: sessions)
                if let difference = DifferentialTests.difference(found, expected, query) {
                    Issue.record("seed \(seed), \(sessions.records.count) sessions: \(query)\n\(difference)")
                    return
                }
            }
            try await client.execute(Statement("DROP DATABASE `sessions\(start)`"), inDatabase: false)
        }
        print("ClickHouse said \(said) queries of sessions, and refused \(refused).")
        #expect(said > Self.rounds / 15)
    }

    /// Spans and events of phones and backends, with crashes, hangs, screens and orders.
    ///
    /// Those of backends name no session.
    private static func recordsOfSessions(
        using random: inout SeededNumbers
    ) -> (spans: [ExportedRecord], events: [ExportedRecord]) {
        func records(_ dataset: Dataset) -> [ExportedRecord] {
            (0..<Int.random(in: 0..<40, using: &random)).map { index in
                var record = RandomRecords.record(using: &random)
                if random.chance(30) {
                    record.fields["name"] = .string(
                        random.pick(["app.crash", "astrolabe.hang", "order.placed", "checkout.started"]))
                }
                if random.chance(30) {
                    record.fields["app.screen.name"] = .string(
                        random.pick(["begin_checkout", "Checkout", "ProductList"]))
                }
                if random.chance(30) { record.fields["order.amount"] = .double(random.pick([2.5, 10, 0.25])) }
                if random.chance(50) {
                    record.fields["resource.app.installation.id"] = .string(random.pick(["i1", "i2"]))
                }
                record.fields["session.id"] = random.chance(60) ? .string("s\(random.pick(Array(0..<20)))") : nil
                return ExportedRecord(record, dataset, index, using: &random)
            }
        }
        return (records(.spans), records(.events))
    }

    /// Returns what differs between the records behind a query and those that the oracle finds, or `nil`.
    private static func recordsDiffer(
        _ query: Query, _ client: ClickHouseClient, _ records: [ExportedRecord], _ related: ExportedRelations,
    ) async throws -> String? {
        let plan = try QueryPlan(query.ofRecords(), now: RandomRecords.now)
        for order in RecordOrder.allCases {
            let found = try await client.records(plan, order: order, limit: 7)
            let expected = NaiveEvaluator.records(
                plan, order: order, limit: 7, over: records.map(\.record), related: related,
            ).records
            guard found.map(\.time) == expected.map(\.time) else {
                return "\(order): times \(found.map(\.time)), expected \(expected.map(\.time))"
            }
            for (record, other) in zip(found, expected)
            where record.fields != other.fields || record.adjustedCount != other.adjustedCount {
                return "\(order): \(record)\nexpected \(other)"
            }
        }
        return nil
    }
}
