import QueryOracle
import Testing

@testable import TelemetryQuery

@Suite
struct LogPatternTests {
    @Test(arguments: [
        ("order 17 placed", "order # placed"),
        ("took 3.5 s, then 250ms", "took # s, then #ms"),
        ("cart of \"ada\" isn't empty, it's 'full'", "cart of \"…\" isn't empty, it's '…'"),
        ("order 0f8fad5b-d9cb-469f-a165-70867728950e confirmed", "order * confirmed"),
        ("trace 4bf92f3577b34da6a3ce929d0e0e4736", "trace *"),
        ("GET /api/products/OLJCESPC7Z 200", "GET /api/products/* #"),
        ("at 2026-11-22T10:00:00Z on 127.0.0.1:4318", "at *:#:#Z on *:#"),
        ("key product:deadbeef12", "key product:*"),
        ("worker3 and v2", "worker# and v#"),
        ("no variable part", "no variable part"),
        ("an open \"quote", "an open \"quote"),
        ("", ""),
        ("-5 degrees", "-# degrees"),
    ])
    func `the pattern of a message has no numbers, ids and quoted texts`(message: String, pattern: String) {
        #expect(LogPattern.of(message) == pattern)
    }

    @Test
    func `a pattern is bounded`() {
        #expect(LogPattern.of(String(repeating: "word ", count: 1_000)).count == LogPattern.length + 1)
    }

    @Test
    func `random records fold as those of the oracle`() async throws {
        for seed in 0..<UInt64(200) {
            var random = SeededNumbers(seed: seed)
            let messages = [
                "order 17", "order 18", "took 5ms", "took 6ms", "disk \"a\" full", "disk \"b\" full", "end",
            ]
            let records = (0..<Int.random(in: 0..<120, using: &random)).map { _ in
                var record = RandomRecords.record(using: &random)
                if random.chance(80) { record.fields["body"] = .string(random.pick(messages)) }
                if random.chance(70) { record.fields["severity"] = .int(Int64(random.pick([9, 13, 17]))) }
                if random.chance(30) { record.time = RandomRecords.now - 5 }
                return record
            }
            var table = ColumnTable()
            for record in records {
                table.append(record)
                if random.chance(4) { table.seal() }
            }
            var query = try Query(text: "count of events last 1h every total")
            if random.chance(60) {
                query.condition = try Condition(text: random.pick(["severity >= 13", "flag", "session.crashed"]))
            }
            let plan = try QueryPlan(query, now: RandomRecords.now)
            let related = RandomRelatedRecords()
            let found = try await QueryEngine(related: related).logPatterns(plan, over: table.segments())
            #expect(found == NaiveLogPatterns.evaluate(plan, over: records, related: related), "seed \(seed)")
        }
    }
}
