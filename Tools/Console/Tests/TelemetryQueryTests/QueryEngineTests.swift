import AstrolabePlatform
import QueryOracle
import Testing

@testable import TelemetryQuery

@Suite
struct QueryEngineTests {
    private static func segments(_ count: Int, name: (Int) -> String = { "n\($0 % 3)" }) -> [Segment] {
        var table = ColumnTable()
        for index in 0..<count {
            table.append(
                QueryRecord(
                    time: Int64(index) * 1_000_000_000,
                    fields: ["name": .string(name(index)), "duration": .int(Int64(index))]))
        }
        return table.segments()
    }

    private static func plan(_ text: String) throws -> QueryPlan {
        try QueryPlan(try Query(text: "\(text) from 1970-01-01 to 1970-01-02"), now: 0)
    }

    @Test
    func `nothing is one row of zeros, or no rows by a field`() async throws {
        let all = try await QueryEngine().evaluate(try Self.plan("count, avg(duration), p99(duration)"), over: [])
        #expect(all.rows.map(\.values.totals) == [[.number(0), .missing, .missing]])
        let byName = try await QueryEngine().evaluate(try Self.plan("count by name"), over: [])
        #expect(byName.rows.isEmpty)
    }

    @Test
    func `more groups than the limit end with the ways to narrow the query`() async throws {
        var limits = QueryEngine.Limits()
        limits.groups = 1_500
        let segments = Self.segments(2_000) { "n\($0)" }
        let error = await #expect(throws: QueryError.self) {
            try await QueryEngine(limits: limits).evaluate(try Self.plan("count by name"), over: segments)
        }
        #expect(
            error?.message == "The query has more than 1500 groups. Group by fewer fields, use bucket(), or narrow it "
                + "with where. The largest column is name: it has 2000 different values in 2000 records.")
    }

    @Test
    func `many groups are ranked exactly, with the rest as other`() async throws {
        let segments = Self.segments(5_000) { $0 < 4_000 ? "n\($0 % 1_990)" : "big" }
        let result = try await QueryEngine().evaluate(
            try Self.plan("count, max(duration) by name limit 1 every 1h"), over: segments)
        try #require(result.rows.map(\.key) == [[.string("big")], []])
        #expect(
            result.rows.map(\.values.totals) == [[.number(1_000), .number(4_999)], [.number(4_000), .number(3_999)]])
        #expect(result.rows[1].isOther)
    }

    @Test(arguments: ["every 10m", "every total"])
    func `thousands of groups of two fields are those of the records`(step: String) async throws {
        var random = SeededNumbers(seed: 46)
        var table = ColumnTable()
        let records = (0..<5_000).map { index in
            QueryRecord(
                time: Int64(index) * 5_000_000_000,
                fields: [
                    "shop": .string("s\(random.next() % 90)"), "size": .int(Int64(random.next() % 90) * 1_000),
                    "session.id": .string("x\(random.next() % 700)"),
                ])
        }
        for (index, record) in records.enumerated() {
            table.append(record)
            if index % 2_000 == 1_999 { table.seal() }
        }
        let plan = try Self.plan("count, count_distinct(session.id) by shop, size limit 20 \(step)")
        let found = try await QueryEngine().evaluate(plan, over: table.segments())
        #expect(found == NaiveEvaluator.evaluate(plan, over: records))
        #expect(found.rows.count == 21)
    }

    @Test
    func `a query that needs too much memory ends with an error`() async throws {
        var limits = QueryEngine.Limits()
        limits.bytes = 10_000
        let error = await #expect(throws: QueryError.self) {
            try await QueryEngine(limits: limits)
                .evaluate(try Self.plan("p99(duration) by name every 1m"), over: Self.segments(2_000))
        }
        #expect(error?.message.contains("Ask for a shorter time or longer steps") == true)
    }

    @Test
    func `a query that takes too long ends with an error`() async throws {
        var limits = QueryEngine.Limits()
        limits.time = .zero
        let error = await #expect(throws: QueryError.self) {
            try await QueryEngine(limits: limits).evaluate(try Self.plan("count"), over: Self.segments(10))
        }
        #expect(
            error?.message == "The query took longer than 0.0 seconds to compute. Ask for a shorter time, group by "
                + "fewer fields, or narrow it with where.")
    }

    /// Turns that end after a number of them.
    private final class LimitedAdmission: QueryAdmission {
        struct Refusal: Error {}

        let taken = Locked(0)
        /// The number of times that the work asked whether its time is over.
        let asked = Locked(0)
        private let limit: Int

        init(limit: Int) {
            self.limit = limit
        }

        func take<Value>(_ work: (_ isOver: @escaping () -> Bool) throws -> Value) async throws -> Value {
            let number = taken.withLock { taken in
                taken += 1
                return taken
            }
            if number > limit { throw Refusal() }
            return try work { [asked] in
                asked.withLock { $0 += 1 }
                return false
            }
        }

        func hold(_ bytes: Int) {}
    }

    @Test
    func `a query takes a turn for each large segment, and ends between two`() async throws {
        let (plan, segments) = (try Self.plan("count"), Self.smallSegments(5))
        var limits = QueryEngine.Limits()
        limits.rowsOfTurn = 1
        let turns = LimitedAdmission(limit: 3)
        await #expect(throws: LimitedAdmission.Refusal.self) {
            try await QueryEngine(limits: limits, turns: turns).evaluate(plan, over: segments)
        }
        let all = LimitedAdmission(limit: 100)
        let result = try await QueryEngine(limits: limits, turns: all).evaluate(plan, over: segments)
        #expect(result.rows.map(\.values.totals) == [[.number(5)]])
        #expect(all.taken.withLock { $0 } >= 5)
    }

    private static func smallSegments(_ count: Int) -> [Segment] {
        var table = ColumnTable()
        for index in 0..<count {
            table.append(QueryRecord(time: Int64(index), fields: ["name": .string("n")]))
            table.seal()
        }
        return table.segments()
    }

    @Test
    func `many small segments share a turn, so a small query waits three times`() async throws {
        let turns = LimitedAdmission(limit: 3)
        let result = try await QueryEngine(turns: turns).evaluate(
            try Self.plan("count by name every total"), over: Self.smallSegments(20))
        #expect(result.rows.map(\.values.totals) == [[.number(20)]])
    }

    @Test
    func `segments are divided among turns by their records`() {
        var limits = QueryEngine.Limits()
        limits.rowsOfTurn = 10
        #expect(limits.turns(over: []) == [])
        #expect(limits.turns(over: [25]) == [0..<1])
        #expect(limits.turns(over: [25, 4, 6, 1, 0, 9, 1]) == [0..<1, 1..<3, 3..<6, 6..<7])
    }

    @Test
    func `the work of a turn asks often whether others may go first`() async throws {
        let cells = 10 * 1_440
        var table = ColumnTable()
        for cell in 0..<cells {
            table.append(
                QueryRecord(
                    time: Int64(cell / 10) * 60_000_000_000,
                    fields: ["name": .string("n\(cell % 10)"), "duration": .int(Int64(cell) + 1)]))
        }
        let turns = LimitedAdmission(limit: 100)
        _ = try await QueryEngine(turns: turns).evaluate(
            try Self.plan("p99(duration), count_distinct(duration) by name every 1m"), over: table.segments())
        // Once for 1,024 cells when they are found, merged and read, and once for 256 chunks of bins.
        #expect(turns.asked.withLock { $0 } >= 3 * (cells / 1_024) + cells / 256)
    }

    @Test
    func `values are not computed any more when the time is over`() async throws {
        struct OneField: RelatedRecords {
            func values(of field: String, in relation: Relation, key: String) -> [QueryValue] { [.string(key)] }
        }
        var table = ColumnTable()
        for index in 0..<1_000 { table.append(QueryRecord(time: 0, fields: ["session.id": .string("s\(index)")])) }
        let segment = try #require(table.segments().first)
        let scan = SegmentScan(segment: segment, dataset: .spans, related: OneField(), isOver: { true })
        let codes = scan.codes(of: .field("session.model"))
        // The missing value, and one for each call before the first check.
        #expect(codes.values.count == 1 + 62)
    }

    @Test
    func `related spans that need too much memory end with an error`() async throws {
        var limits = QueryEngine.Limits()
        limits.bytes = 10_000
        var table = ColumnTable()
        for index in 0..<1_000 {
            table.append(QueryRecord(time: 0, fields: ["span.id": .string("s\(index)"), "name": .string("n")]))
        }
        let error = await #expect(throws: QueryError.self) {
            _ = try await SpanRelations([.parent: ["name"]], in: table.segments(), limits: limits)
        }
        #expect(error?.message.hasPrefix("The fields of root, parent and any need more than 0 MB") == true)
    }

    @Test
    func `a cancelled query ends`() async throws {
        let segments = Self.segments(10)
        let plan = try Self.plan("count")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await QueryEngine().evaluate(plan, over: segments)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test
    func `a series with too many steps names a length that fits`() throws {
        let error = #expect(throws: QueryError.self) { try Self.plan("count every 1s") }
        #expect(
            error?.message == "The series would have 86400 steps. The limit is 2000. Ask for a shorter time, or for "
                + "every 2m.")
    }

    @Test(arguments: [
        ("count by a order b asc", "Expected a calculation or a field of by in order, found b."),
        ("count having heatmap(a) > 5", "A heatmap cannot be used in having."),
        ("count with a = b, a = c", "The name a is defined twice."),
    ])
    func `a query that is no question is an error`(text: String, message: String) throws {
        #expect(throws: QueryError(message)) { try Self.plan(text) }
    }

    @Test
    func `definitions that grow exponentially are an error`() throws {
        var text = "count with a0 = x + x"
        for index in 1..<8 {
            text += ", a\(index) = " + Array(repeating: "a\(index - 1)", count: 9).joined(separator: " + ")
        }
        let error = #expect(throws: QueryError.self) { try Self.plan(text) }
        #expect(error?.message.contains("too many parts") == true)
    }

    @Test
    func `the attribute that sets a selection apart is first`() async throws {
        var table = ColumnTable()
        for index in 0..<1_000 {
            let isBad = index % 10 == 0
            table.append(
                QueryRecord(
                    time: Int64(index),
                    fields: [
                        "currency": .string(isBad || index % 50 == 1 ? "JPY" : "EUR"), "os": .string("\(index % 3)"),
                        "status": .string(isBad ? "error" : "ok"), "id": .string("\(index)"),
                        "size": .int(Int64(index)),
                    ]))
        }
        // More than 1,000 ids, so that they are skipped.
        for index in 1_000..<1_200 { table.append(QueryRecord(time: 0, fields: ["id": .string("\(index)")])) }
        let plan = try Self.plan("count where currency exists or id exists")
        let selection = Condition.leaf(Term(.field("status"), .equal, [Literal(.string("error"))]))
        let result = try await QueryEngine().differences(plan, selection: selection, over: table.segments())
        #expect(result.selected == 100 && result.rest == 1_100)
        try #require(result.attributes.map(\.field).prefix(2) == ["status", "currency"])
        #expect(result.attributes[1].values[0] == ValueShare(value: .exact(.string("JPY")), selected: 100, rest: 20))
        #expect(result.skipped == ["id"])
    }

    @Test
    func `sampled records set a selection apart by their effective number, and by their number if all count the same`()
        async throws
    {
        var table = ColumnTable()
        for index in 0..<50 {
            // Of the errors 40 stand for themselves and 10 for ten each; of the rest each stands for eight.
            table.append(
                QueryRecord(
                    time: 0, adjustedCount: index < 40 ? 1 : 10,
                    fields: ["status": .string("error"), "os": .string("iOS")]))
            table.append(QueryRecord(time: 0, adjustedCount: 8, fields: ["status": .string("ok")]))
        }
        let selection = Condition.leaf(Term(.field("status"), .equal, [Literal(.string("error"))]))
        let result = try await QueryEngine().differences(
            try Self.plan("count"), selection: selection, over: table.segments())
        #expect((result.selected, result.rest) == (140, 400))
        #expect((result.selectedSize, result.restSize) == (140 * 140 / 1_040.0, 50))
        let raw = try await QueryEngine().differences(
            try Self.plan("count raw"), selection: selection, over: table.segments())
        #expect((raw.selectedSize, raw.restSize) == (50, 50))
    }

    @Test
    func `attributes that only one side has come after those whose values differ`() async throws {
        var table = ColumnTable()
        for index in 0..<100 {
            let isBad = index < 20
            var fields: [String: QueryValue] = [
                "status": .string(isBad ? "error" : "ok"), "currency": .string(isBad ? "CHF" : "EUR"),
            ]
            fields[isBad ? "error.type" : "order.id"] = .string(isBad ? "500" : "\(index)")
            // Most of one side and a few of the other, with a value of each record's own.
            if isBad ? index < 18 : index < 24 { fields["retry"] = .int(Int64(index)) }
            // All of one side, and half of the other with the same value.
            if isBad || index.isMultiple(of: 2) { fields["plan"] = .string("pro") }
            table.append(QueryRecord(time: Int64(index), fields: fields))
        }
        let result = try await QueryEngine().differences(
            try Self.plan("count"),
            selection: .leaf(Term(.field("status"), .equal, [Literal(.string("error"))])), over: table.segments())
        #expect(result.attributes.filter { !$0.isPresence }.map(\.field) == ["currency", "status", "plan"])
        #expect(result.attributes.filter(\.isPresence).map(\.field) == ["error.type", "order.id", "retry"])
        #expect(result.attributes.map(\.isPresence) == [false, false, false, true, true, true])
    }

    @Test(arguments: [49, 333, 1_000_003, 86_399_999_999] as [Int64])
    func `a record at the edge of a step is in the right step`(step: Int64) async throws {
        var query = Query()
        query.granularity = .fixed(nanoseconds: step)
        query.time = .between(from: step * 1_000, to: step * 1_500)
        let records = (1_000..<1_500).flatMap { index in
            [0, 1, step - 1].map { QueryRecord(time: Int64(index) * step + $0, fields: [:]) }
        }
        var table = ColumnTable()
        for record in records { table.append(record) }
        let found = try await QueryEngine().evaluate(try QueryPlan(query, now: 0), over: table.segments())
        #expect(found.rows[0].values.series == Array(repeating: [.number(3)], count: 500))
    }

    // What the differential tests found.

    @Test
    func `a record that stands for itself has no adjusted count, in a segment as in a record`() async throws {
        let records = [1.0, 1, 8].map { QueryRecord(time: 0, adjustedCount: $0, fields: [:]) }
        let plan = try Self.plan("count_distinct(adjusted_count), count where adjusted_count not exists")
        var table = ColumnTable()
        for record in records { table.append(record) }
        let found = try await QueryEngine().evaluate(plan, over: table.segments())
        #expect(found.rows[0].values.totals == [.number(0), .number(2)])
        #expect(found == NaiveEvaluator.evaluate(plan, over: records))
    }

    @Test
    func `an attribute that none of the records has is not compared`() async throws {
        var table = ColumnTable()
        table.append(QueryRecord(time: 0, fields: ["status": .string("error")]))
        table.append(QueryRecord(time: 0, fields: ["status": .string("ok")]))
        table.append(QueryRecord(time: 0, fields: ["other": .string("x")]))
        let result = try await QueryEngine().differences(
            try Self.plan("count where status exists"),
            selection: .leaf(Term(.field("status"), .equal, [Literal(.string("error"))])), over: table.segments())
        #expect(result.attributes.map(\.field) == ["status"])
    }

    @Test
    func `the least integer is a literal`() throws {
        let query = try Query(text: "count where a = -9223372036854775808 last 1h")
        #expect(query.condition == .leaf(Term(.field("a"), .equal, [Literal(.int(.min))])))
        #expect(query.description == "count where a = -9223372036854775808 last 1h")
    }

    // The middles of their bins are above the largest, or below the least of them.
    @Test(
        arguments: [[3_530_000_000], [3_530_000_000, 10, 12], [-3_530_000_000, -10], [1_000_001, 1_000_002]]
            as [[Int64]])
    func `percentiles lie between the least and the largest number`(numbers: [Int64]) async throws {
        var table = ColumnTable()
        for (index, number) in numbers.enumerated() {
            table.append(QueryRecord(time: Int64(index), fields: ["duration": .int(number)]))
            if index == 0 { table.seal() }
        }
        let plan = try Self.plan("min(duration), p50(duration), p95(duration), p999(duration), max(duration)")
        let row = try #require(try await QueryEngine().evaluate(plan, over: table.segments()).rows.first)
        let ordered = row.values.totals.compactMap(\.number)
        #expect(ordered.count == 5)
        #expect(ordered == ordered.sorted())
    }

    @Test
    func `weights of zero count nothing, and their records are there`() async throws {
        var table = ColumnTable()
        let fields: [String: QueryValue] = ["name": .string("a"), "duration": .int(5)]
        table.append(QueryRecord(time: 0, adjustedCount: 0, fields: fields))
        let weighted = try await QueryEngine().evaluate(
            try Self.plan("count, p50(duration), avg(duration) by name"), over: table.segments())
        #expect(weighted.rows.map(\.values.totals) == [[.number(0), .missing, .missing]])
        #expect(weighted.matchedRecords == 1)
        let raw = try await QueryEngine().evaluate(
            try Self.plan("count, p50(duration), avg(duration) by name raw"), over: table.segments())
        #expect(raw.rows.map(\.values.totals) == [[.number(1), .number(5), .number(5)]])
    }
}
