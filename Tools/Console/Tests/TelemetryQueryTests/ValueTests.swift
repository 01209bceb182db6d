import QueryOracle
import Testing

@testable import TelemetryQuery

@Suite
struct ValueTests {
    @Test(
        arguments: [
            // The row, the operator, the literal, and whether it holds.
            (.int(500), .equal, .string("500"), true), (.string("500"), .greaterOrEqual, .int(500), true),
            (.string("404.0"), .less, .int(500), true), (.string("n/a"), .greaterOrEqual, .int(500), false),
            (.string("n/a"), .less, .int(500), false), (.string("n/a"), .notEqual, .int(500), true),
            (.int(2), .equal, .double(2), true), (.double(2.5), .greater, .int(2), true),
            (.int(9_007_199_254_740_993), .equal, .double(9_007_199_254_740_992), false),
            (.int(.max), .less, .double(0x1p63), true), (.int(.min), .equal, .double(-0x1p63), true),
            (.double(.nan), .equal, .double(2), false), (.double(.nan), .notEqual, .double(2), true),
            (.double(.nan), .exists, .missing, true), (.double(.nan), .less, .int(1), false),
            (.bool(true), .equal, .string("true"), true), (.bool(true), .equal, .int(1), false),
            (.bool(true), .greater, .bool(false), true), (.string("true"), .equal, .bool(true), true),
            (.string("b"), .greater, .string("a"), true), (.string("500"), .equal, .string("500.0"), false),
            (.missing, .equal, .string(""), false), (.missing, .notEqual, .string("x"), true),
            (.missing, .doesNotContain, .string("x"), true), (.missing, .less, .int(1), false),
            (.missing, .doesNotExist, .missing, true), (.int(500), .startsWith, .string("50"), true),
            (.double(2), .contains, .string("."), false), (.bool(false), .contains, .string("als"), true),
            (.string("a1"), .matches, .string("^[a-z]\\d$"), true), (.string("a"), .doesNotMatch, .string("b"), true),
            (.int(5), .isIn, .string("5"), true),
        ] as [(QueryValue, ComparisonOperator, QueryValue, Bool)])
    func `a comparison between types is defined`(
        row: QueryValue, comparison: ComparisonOperator, literal: QueryValue, holds: Bool,
    ) {
        #expect(TermMatcher(comparison, [Literal(literal)]).matches(row) == holds)
    }

    @Test
    func `a whole number is the same group as a double, and a text is not`() {
        #expect(Set<QueryValue>([.int(500), .double(500), .string("500")]).count == 2)
        #expect(Set<QueryValue>([.double(.nan), .double(-.nan), .double(0), .double(-0.0), .int(0)]).count == 2)
    }

    @Test(arguments: ["", " 5", "+5", "007", "0x10", "inf", "nan", "5.", ".5", "1e", "--1", "1e999", "5 "])
    func `text that is no JSON number is no number`(text: String) {
        #expect(QueryValue.number(in: text) == nil)
    }

    @Test(arguments: [
        ("ot=th:8", 2), ("ot=th:c", 4), ("a=b, ot=rv:0123;th:8;x:y", 2), ("ot=th:0", 1), ("ot=th:e6666666666666", 10),
        ("", 1), ("ot=th:", 1), ("ot=th:8G", 1), ("ot=th:800000000000001", 1), ("xot=th:8", 1),
    ])
    func `the adjusted count is the inverse of the probability`(traceState: String, count: Double) {
        #expect(abs(AdjustedCount.of(traceState: traceState) - count) < 1e-9)
    }

    @Test
    func `an error that was kept without a probability stands for none`() {
        #expect(AdjustedCount.of(traceState: "", isKept: true) == 0)
        #expect(AdjustedCount.of(traceState: "ot=th:8", isKept: true) == 2)
    }

    @Test
    func `a bin holds its number, and its middle is near it`() {
        var random = SeededNumbers(seed: 1)
        let odd: [Double] = [0, 1, -1, 63, 64, 127, 128, 129, 1e-300, -1e300, .leastNonzeroMagnitude]
        let numbers = odd + (0..<2_000).map { _ in Double.random(in: -1e12...1e12, using: &random) }
        for number in numbers {
            let bin = LogLinearBins.percentiles.bin(of: number)
            let (low, high) = LogLinearBins.percentiles.bounds(of: bin)
            let magnitude = number.magnitude
            #expect(number == 0 || (low.magnitude <= magnitude && magnitude < high.magnitude))
            guard magnitude > 1e-300 else { continue }
            let middle = LogLinearBins.percentiles.middle(of: bin, isWhole: false)
            #expect(abs(middle - number) <= magnitude / 128)
            if number == number.rounded(), magnitude < 128 {
                #expect(LogLinearBins.percentiles.middle(of: bin, isWhole: true) == number)
            }
        }
    }

    @Test
    func `old and new names of the conventions are one field`() throws {
        let records = [
            QueryRecord(time: 0, fields: ["http.status_code": .int(500)]),
            QueryRecord(time: 0, fields: ["http.response.status_code": .int(500), "http.status_code": .int(200)]),
            QueryRecord(time: 0, fields: ["resource.http.response.status_code": .string("500")]),
        ]
        let query = try Query(text: "count where http.status_code = 500 from 1970-01-01 to 1970-01-02 every total")
        let result = NaiveEvaluator.evaluate(try QueryPlan(query, now: 0), over: records)
        #expect(result.rows[0].values.totals == [.number(3)])
    }
}

@Suite
struct QueryPatternTests {
    @Test(arguments: [
        ("abc", "xabcx", true), ("^abc$", "xabc", false), ("a.c", "a\nc", false), ("[^a-c]+$", "abcd", true),
        ("(ab|cd)+e", "xabcde", true), ("a{2,3}", "a", false), ("^a{2,3}$", "aaa", true), ("^(a?){3}$", "aaaa", false),
        ("\\d\\.\\d", "v1.2", true), ("\\bcart\\b", "/api/cart/1", true), ("(?i)GRÜN", "grün", false),
        ("(?i)get", "GET", true), ("^$", "", true), ("x*", "", true), ("[]a]", "]", true), ("[a-]", "-", true),
        ("a|", "b", true), ("\\Bart", "cart", true), ("\\w+@\\S+", "a@b", true),
    ])
    func `a pattern matches as usual`(pattern: String, text: String, matches: Bool) throws {
        #expect(try QueryPattern(pattern).matches(text) == matches)
    }

    @Test(arguments: [
        ("/(\\w+)/(\\d+)", "/api/17/x", "api"), ("\\d+", "a17b", "17"), ("a(b)?", "a", nil), ("(a+?)a*", "aaa", "a"),
        ("(a+)a*", "aaa", "aaa"), ("(a|ab)(c|bcd)", "abcd", "a"), ("x", "y", nil), ("v([0-9.]+)", "v1.2é", "1.2"),
    ])
    func `the first capture of the first match is extracted`(pattern: String, text: String, part: String?) throws {
        #expect(try QueryPattern(pattern).extract(from: text) == part)
    }

    @Test(arguments: [
        "(", ")", "[a", "a{3,2}", "*a", "a\\", "(?=a)", "\\1", "[z-a]", "a{9999}", "((((a{50}){50}){50}))",
    ])
    func `what is no pattern is an error`(pattern: String) {
        #expect(throws: QueryPattern.SyntaxError.self) { try QueryPattern(pattern) }
    }

    @Test
    func `a pattern that makes others backtrack takes linear time`() throws {
        let text = String(repeating: "a", count: 2_000)
        #expect(try !QueryPattern("^(a|a)*(a*)*b$").matches(text))
    }
}
