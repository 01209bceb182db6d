import Testing

@testable import TelemetryQuery

@Suite
struct QueryTextTests {
    @Test
    func `the example of the design is read as it is meant`() throws {
        let query = try Query(
            text: #"p99(duration), count by http.route, service.version where service.name = "shop-server" "#
                + "and session.crashed last 24h")
        #expect(query.calculations == [Calculation(.p99, of: .field("duration")), Calculation(.count)])
        #expect(query.groups == [.field("http.route"), .field("service.version")])
        #expect(
            query.condition
                == .all([
                    .leaf(Term(.field("service.name"), .equal, [Literal(.string("shop-server"))])),
                    .leaf(Term(.field("session.crashed"), .equal, [Literal(.bool(true))])),
                ]))
        #expect(query.time == .last(nanoseconds: 86_400_000_000_000))
        #expect(query.dataset == .spans)
    }

    @Test(arguments: [
        "count last 1h",
        "count of sessions by os.version where session.crashed = true last 7d",
        "heatmap(duration) where http.route = \"/api/cart\" last 30m every 10s",
        "ratio(where status = \"error\" or (a > 5 and not b exists)), rate, rate(bytes) last 1h",
        "sum(demo.order.amount) with region = if(net = \"wifi\", \"fast\", coalesce(a, b, \"none\")) by region last 1h",
        "p50(duration / 1000 - (a + b) * 2) by bucket(duration, 250ms), extract(url.path, \"^/(\\\\w+)\") last 1h",
        "count by name where code in (500, 503, \"504\") and size > 10MB having count > 10 and p99(duration) >= 1s "
            + "order p99(duration) desc, name asc limit 5 from 2026-11-22T10:00:00Z to 2026-11-22T10:00:00.5Z "
            + "every total compare previous raw",
        "count where `odd name` = 1 and `limit` not in (1, 2) and x not contains \"a\\\"b\" and y = -1.5 "
            + "last 90m compare 7d",
        "max(`count`), min(a.b-c), concurrency, count_distinct(user.id) last 1h",
        "count where a = 1e20 and b = 1e-07 and c = 9223372036854775807 and d = -2.5 last 1h",
    ])
    func `text, JSON and URL give the same query again`(text: String) throws {
        let query = try Query(text: text)
        #expect(query.description == text)
        #expect(try Query(text: query.description) == query)
        #expect(try Query(json: query.json()) == query)
        #expect(try Query(urlValue: query.urlValue) == query)
    }

    @Test
    func `words need no quotes, and clauses have any order`() throws {
        let query = try Query(text: "count last 1h where service.name = shop-server and v = 2.1.0 by 'x' of events")
        #expect(
            query.description
                == #"count of events by "x" where service.name = "shop-server" and v = "2.1.0" last 1h"#)
    }

    @Test(arguments: [
        ("p98(duration)", 1, "p90"), ("count wher a = 1", 7, "where"), ("count where a = ", 17, nil),
        ("count where a ~ 5", 15, nil), ("count of span", 10, "spans"), ("count last 5", 12, nil),
        ("count where name = \"shop", 20, nil), ("count where a = 5 and", 22, nil), ("count by", 9, nil),
        ("", 1, nil), ("p99", 4, nil), ("count where (a = 5", 19, nil), ("count where a matches \"(\"", 23, nil),
        ("count last 1h last 2h", 15, nil), ("count limit 5000", 13, nil), ("count where a in 5", 18, nil),
        ("count by buckets(a, 5)", 10, "bucket"), ("count from 2026-02-30 to 2026-03-01", 12, nil),
        ("count where order = 5", 13, nil), ("count where a = last", 17, nil), ("count by extract(a, 5)", 21, nil),
    ])
    func `an error names the column and suggests a word`(text: String, column: Int, suggestion: String?) throws {
        let error = try #require(throws: QueryError.self) { try Query(text: text) }
        guard case .column(column, _) = error.place else {
            Issue.record("\(text): \(error)")
            return
        }
        if let suggestion { #expect(error.suggestions.contains(suggestion), "\(error)") }
    }

    @Test
    func `an error says what was expected and what was found`() throws {
        let error = try #require(throws: QueryError.self) { try Query(text: "p98(duration) last 1h") }
        #expect(error.description.hasPrefix("Column 1: Expected a calculation: count, count_distinct, "))
        #expect(error.description.contains("found \"p98\". Did you mean p9"))
    }

    @Test
    func `nesting, length and number of parts are limited`() {
        let deep = "count where " + String(repeating: "(", count: 200) + "a" + String(repeating: ")", count: 200)
        let wide = "count where " + Array(repeating: "a = 1", count: 2_000).joined(separator: " or ")
        let long = "count where a = \"" + String(repeating: "x", count: 20_000) + "\""
        let chain = "sum(" + Array(repeating: "a", count: 300).joined(separator: " + ") + ")"
        for text in [deep, wide, long, chain] { #expect(throws: QueryError.self) { try Query(text: text) } }
    }

    @Test
    func `a time is read and written exactly`() {
        for text in ["1970-01-01T00:00:00Z", "2000-02-29T23:59:59.000000001Z", "2199-12-31T00:00:00.12Z"] {
            #expect(Timestamp.nanoseconds(text).map(Timestamp.text) == text)
        }
        #expect(Timestamp.nanoseconds("2026-11-22T10:00:00+01:30") == Timestamp.nanoseconds("2026-11-22T08:30:00Z"))
        #expect(Timestamp.nanoseconds("2026-13-01") == nil)
        #expect(Timestamp.nanoseconds("2026-11-22T24:00:00Z") == nil)
    }
}
