import AstrolabeTestSupport
import QueryOracle
import Testing

@testable import TelemetryQuery

/// The engine gives what the oracle gives.
@Suite
struct DifferentialTests {
    private static let rounds = Thoroughness.count(800, thorough: 20_000)
    private static let queriesOfTable = 50

    @Test
    func `random queries give the same result from columns as record by record`() async throws {
        var failures = 0
        for seed in 0..<UInt64(Self.rounds) where failures < 5 {
            if seed % UInt64(Self.queriesOfTable) != 0 { continue }
            var random = SeededNumbers(seed: seed)
            let records = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                RandomRecords.arrivedRecord(using: &random)
            }
            // Some segments, the last not sealed.
            var table = ColumnTable()
            for (index, record) in records.enumerated() {
                table.append(record, sequence: Int64(index))
                if random.chance(2) { table.seal() }
            }
            let segments = table.segments()
            for offset in 0..<UInt64(Self.queriesOfTable) {
                var source = RandomQuery(seed: seed + offset, fields: RandomRecords.arrivalFields)
                let query = source.query()
                let difference = try await Self.difference(query, records, segments)
                if let difference {
                    failures += 1
                    Issue.record("seed \(seed + offset), \(records.count) records: \(query)\n\(difference)")
                }
            }
        }
    }

    @Test
    func `random queries give the same result from columns and record by record as from SQL`() async throws {
        var said = (plain: 0, any: 0)
        for start in stride(from: 0, to: UInt64(Self.rounds), by: Self.queriesOfTable) {
            var random = SeededNumbers(seed: start)
            let records = (0..<Int.random(in: 0..<60, using: &random)).map { _ in SQLRecords.record(using: &random) }
            var table = ColumnTable()
            for (index, record) in records.enumerated() {
                table.append(record, sequence: Int64(index))
                if random.chance(2) { table.seal() }
            }
            let segments = table.segments()
            let database = try SQLEvaluator(records)
            for seed in start..<(start + UInt64(Self.queriesOfTable)) {
                for isPlain in [true, false] {
                    var source = RandomQuery(seed: seed, isPlain: isPlain)
                    let query = source.query()
                    let plan = try QueryPlan(query, now: RandomRecords.now)
                    guard let expected = try database.evaluate(plan) else { continue }
                    if isPlain { said.plain += 1 } else { said.any += 1 }
                    let found = try await QueryEngine().evaluate(plan, over: segments)
                    let naive = NaiveEvaluator.evaluate(plan, over: records)
                    for (name, result) in [("columns", found), ("record by record", naive)] {
                        guard let difference = Self.difference(result, expected, query) else { continue }
                        Issue.record("seed \(seed), \(name), not as SQL: \(query)\n\(difference)")
                        return
                    }
                }
            }
        }
        print("SQL said \(said.plain) of \(Self.rounds) plain queries, and \(said.any) of \(Self.rounds) of any kind.")
        #expect(said.plain == Self.rounds)
        #expect(said.any > 0)
    }

    @Test
    func `random queries survive their text and JSON forms`() throws {
        for seed in 0..<UInt64(Self.rounds) {
            var source = RandomQuery(seed: seed, fields: RandomRecords.arrivalFields)
            let query = source.query()
            let text = query.description
            let read = try Query(text: text)
            guard read == query, read.description == text, try Query(json: query.json()) == query else {
                Issue.record("seed \(seed): \(text) became \(read)")
                return
            }
        }
    }

    @Test
    func `random selections differ in the same attributes from columns as record by record`() async throws {
        for seed in 0..<UInt64(Self.rounds / 25) {
            var random = SeededNumbers(seed: seed)
            let records = (0..<200).map { _ in RandomRecords.arrivedRecord(using: &random) }
            var table = ColumnTable()
            for record in records {
                table.append(record)
                if random.chance(1) { table.seal() }
            }
            var source = RandomQuery(seed: seed, fields: RandomRecords.arrivalFields)
            var query = source.query()
            query.derived = []
            query.groups = []
            query.having = nil
            query.order = []
            query.calculations = [Calculation(.count)]
            let selection = Condition.leaf(
                Term(
                    .field(random.pick(["status", "flag", "size"])), .equal, [Literal(random.pick(RandomRecords.odd))],
                )
            )
            let plan = try QueryPlan(query, now: RandomRecords.now)
            let related = RandomRelatedRecords()
            let expected = NaiveEvaluator.differences(plan, selection: selection, over: records, related: related)
            let found = try await QueryEngine(related: related)
                .differences(plan, selection: selection, over: table.segments())
            #expect(found == expected, "seed \(seed): \(query)")
        }
    }

    @Test(arguments: RecordOrder.allCases)
    func `the records behind random queries are the same from columns as record by record`(
        order: RecordOrder
    ) async throws {
        for seed in 0..<UInt64(Self.rounds / 25) {
            var random = SeededNumbers(seed: seed)
            let records = (0..<100).map { _ in RandomRecords.arrivedRecord(using: &random) }
            var table = ColumnTable()
            for (index, record) in records.enumerated() {
                table.append(record, sequence: Int64(index))
                if random.chance(3) { table.seal() }
            }
            var source = RandomQuery(seed: seed, fields: RandomRecords.arrivalFields)
            let query = source.query().ofRecords()
            let plan = try QueryPlan(query, now: RandomRecords.now)
            let limit = random.pick([1, 5, 1_000])
            let related = RandomRelatedRecords()
            let expected = NaiveEvaluator.records(plan, order: order, limit: limit, over: records, related: related)
            let found = try await QueryEngine(related: related)
                .records(plan, order: order, limit: limit, over: table.segments())
            #expect(found.matchedRecords == expected.matchedRecords, "seed \(seed): \(query)")
            #expect(found.records.map(\.time) == expected.records.map(\.time), "seed \(seed): \(query)")
            let fields = expected.records.map { $0.fields.filter { !$0.value.isMissing } }
            #expect(found.records.map(\.fields) == fields, "seed \(seed): \(query)")
            #expect(found.records.map(\.adjustedCount) == expected.records.map(\.adjustedCount), "seed \(seed)")
        }
    }

    @Test
    func `related spans are the same from columns as record by record`() async throws {
        for seed in stride(from: 0, to: UInt64(Self.rounds), by: Self.queriesOfTable) {
            var random = SeededNumbers(seed: seed)
            var records: [QueryRecord] = []
            var table = ColumnTable()
            for index in 0..<Int.random(in: 0..<80, using: &random) {
                var record = RandomRecords.record(using: &random)
                if random.chance(95) { record.fields["span.id"] = .string("p\(index)") }
                if random.chance(60) { record.fields["parent.id"] = .string("p\(random.pick(Array(0..<80)))") }
                records.append(record)
                table.append(record)
                if random.chance(4) { table.seal() }
            }
            let naive = NaiveSpanRelations(spans: records)
            let segments = table.segments()
            for offset in 0..<UInt64(Self.queriesOfTable) {
                var source = RandomQuery(seed: seed + offset)
                var query = source.query()
                let parent = Expression.field("parent.http.status_code")
                if random.chance(30) { query.groups = [parent, .field("any.size")] }
                if random.chance(30) { query.condition = .leaf(Term(parent, .greaterOrEqual, [Literal(.int(404))])) }
                let related = try await SpanRelations(query.relatedFields, in: segments)
                if let difference = try await Self.difference(
                    query, records, segments, related: related, expected: naive)
                {
                    Issue.record("seed \(seed + offset): \(query)\n\(difference)")
                    return
                }
            }
        }
    }

    /// Returns what differs between the two results, or `nil`.
    private static func difference(
        _ query: Query, _ records: [QueryRecord], _ segments: [Segment],
        related: any RelatedRecords = RandomRelatedRecords(),
        expected right: any RelatedRecords = RandomRelatedRecords(),
    ) async throws -> String? {
        var plan: QueryPlan
        do throws(QueryError) {
            plan = try QueryPlan(query, now: RandomRecords.now)
        } catch {
            return nil
        }
        // Records arrive up to an hour late, so some of the comparison count and some do not.
        if query.description.utf8.count % 5 < 3 { plan = plan.comparing(asOf: RandomRecords.now - 3_600_000_000_000) }
        let expected = NaiveEvaluator.evaluate(plan, over: records, related: right)
        var limits = QueryEngine.Limits()
        // Both ways to compute groups, on one core or two.
        limits.groupsOfOnePass = query.description.utf8.count % 2 == 0 ? 1 : 1_000
        limits.workers = query.description.utf8.count % 3 == 0 ? 1 : 2
        let found = try await QueryEngine(limits: limits, related: related).evaluate(plan, over: segments)
        return difference(found, expected, query)
    }

    /// Returns what differs between the two results, or `nil`.
    static func difference(_ found: QueryResult, _ expected: QueryResult, _ query: Query) -> String? {
        guard found.matchedRecords == expected.matchedRecords else {
            return "matched \(found.matchedRecords), expected \(expected.matchedRecords)"
        }
        guard found.comparedRecords == expected.comparedRecords else {
            return "compared with \(found.comparedRecords ?? -1), expected \(expected.comparedRecords ?? -1)"
        }
        guard found.rows.map(\.key) == expected.rows.map(\.key) else {
            return "keys \(found.rows.map(\.key))\nexpected \(expected.rows.map(\.key))"
        }
        for (row, right) in zip(found.rows, expected.rows) {
            guard row.isOther == right.isOther else { return "other \(row.isOther)" }
            for (values, wanted) in [(row.values, right.values), (row.comparison, right.comparison)]
                as [(ResultValues?, ResultValues?)]
            {
                guard (values == nil) == (wanted == nil) else { return "comparison \(row)" }
                guard let values, let wanted else { continue }
                guard values.series.count == wanted.series.count else { return "\(values.series.count) steps" }
                for (index, calculation) in query.calculations.enumerated() {
                    if !areEqual(values.totals[index], wanted.totals[index], calculation) {
                        return "\(calculation) of \(row.key): \(values.totals[index]), expected \(wanted.totals[index])"
                    }
                    for step in values.series.indices {
                        let (value, other) = (values.series[step][index], wanted.series[step][index])
                        if !areEqual(value, other, calculation) {
                            return "\(calculation) of \(row.key), step \(step): \(value), expected \(other)"
                        }
                    }
                }
            }
        }
        return nil
    }

    private static func areEqual(_ value: ResultValue, _ wanted: ResultValue, _ calculation: Calculation) -> Bool {
        guard case .number(let number) = value, case .number(let other) = wanted else { return value == wanted }
        // Percentiles have the stated error. Means over time are sums of parts.
        let tolerance = calculation.function.quantile != nil ? 0.0079 : 1e-9
        return number == other || abs(number - other) <= tolerance * abs(other)
    }
}
