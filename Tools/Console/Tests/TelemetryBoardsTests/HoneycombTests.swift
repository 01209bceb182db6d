import Foundation
import Testing

@testable import TelemetryBoards
@testable import TelemetryQuery

@Suite struct `Boards for Honeycomb` {
    @Test(arguments: ShippedBoards.ids) func `follow the published specification`(id: String) throws {
        let source = try #require(ShippedBoards.source(id))
        try Self.check(HoneycombBoard(Board(yaml: source, file: id)))
    }

    @Test func `follow it for every clause and function of a query`() throws {
        for query in Self.queries {
            let board = try Self.board(panels: [query])
            let honeycomb = HoneycombBoard(board)
            #expect(honeycomb.queries.count == 1, "\(query): \(honeycomb.notes)")
            try Self.check(honeycomb)
        }
    }

    @Test func `a query says the same with Honeycomb's names and units`() throws {
        let query = try Self.translated(
            """
            p99(duration), ratio(where status = "error") by http.route, resource.os.name \
            where kind = server and duration > 250ms and http.status_code in (500, 503) and (a = 1 or not b exists) \
            having count > 10 and p99(duration) > 1s limit 5 every 1m
            """)
        #expect(query["time_range"] as? Int == 86_400 / 24)
        #expect(query["granularity"] as? Int == 60)
        #expect(query["limit"] as? Int == 5)
        #expect(query["breakdowns"] as? [String] == ["http.route", "os.name"])
        let calculations = Self.texts(query["calculations"])
        #expect(calculations == ["AVG share where status = \"error\"", "COUNT", "P99 duration_ms"].sorted())
        #expect(
            Self.texts(query["filters"]) == [
                "= a = 1 or not b exists 1", "= meta.signal_type trace", "= span.kind server", "> duration_ms 250",
                "does-not-exist meta.annotation_type", "in http.response.status_code",
            ])
        let fields = query["calculated_fields"] as? [[String: String]] ?? []
        #expect(
            Set(fields.compactMap { $0["expression"] }) == [
                "IF(EQUALS($status_code, 2), 1, 0)", "OR(EQUALS($a, 1), NOT(EXISTS($b)))",
            ])
        let havings = query["havings"] as? [[String: Any]] ?? []
        #expect(havings.map { $0["value"] as? Double } == [10, 1_000])
    }

    @Test func `what Honeycomb cannot say is a text in the place of the panel, and a note`() throws {
        let board = HoneycombBoard(try Self.board(panels: ["count where session.crashed"]))
        #expect(board.queries.isEmpty)
        try #require(board.notes.count == 1)
        #expect(board.notes[0].contains("session.crashed"))
        try Self.check(board)
    }

    @Test func `an attribute of the session is that of the first span of the trace`() throws {
        let query = try Self.translated("count by session.service.version where kind = server")
        #expect(query["breakdowns"] as? [String] == ["root.service.version"])
    }

    @Test func `an alert is a trigger`() throws {
        let board = try Board(
            yaml: """
                title: A
                alerts:
                  - {name: Slow, query: 'p95(duration) by http.route', above: 500ms, window: 10m, every: 30s, for: 3}
                  - {name: Few, query: count of events, below: 5, window: 1h, every: 5m}
                """, file: "")
        let honeycomb = HoneycombBoard(board)
        #expect(honeycomb.triggers.map(\.threshold.value) == [500, 5])
        #expect(honeycomb.triggers.map(\.threshold.op) == [">", "<"])
        #expect(honeycomb.triggers.map(\.frequency) == [180, 900])
        try Self.check(honeycomb)
    }

    @Test func `the check of the specification finds violations`() throws {
        let wrong = """
            {"calculations": [{"op": "P98", "column": "a"}, {"op": "COUNT", "column": "a"}, {"op": "SUM"}],
             "filters": [{"column": "a", "op": "like", "value": 1}, {"column": "a", "op": "in", "value": 1}],
             "orders": [{"op": "MAX", "column": "a"}], "limit": 1001, "granularity": 3600, "time_range": 3600,
             "havings": [{"calculate_op": "COUNT", "op": ">"}], "colour": 1,
             "calculated_fields": [{"name": "x", "expression": "NOPE($a)"}, {"name": "y", "expression": "IF($a, 1"}]}
            """
        let query = try #require(try JSONSerialization.jsonObject(with: Data(wrong.utf8)) as? [String: Any])
        #expect(HoneycombSpecification.problems(inQuery: query).count == 13)
    }

    private static let queries: [String] =
        Calculation.Function.allCases.map { function in
            switch function {
            case .ratio: "ratio(where status = error) by name"
            case _ where function.takesOperand == false: "\(function.rawValue) by name"
            default: "\(function.rawValue)(duration)\(function == .heatmap ? "" : " by name")"
            }
        }
        + ComparisonOperator.allCases.map { comparison in
            switch comparison {
            case .exists, .doesNotExist: "count where a \(comparison.rawValue)"
            case .isIn, .isNotIn: "count where a \(comparison.rawValue) (1, \"b\")"
            default: "count where a \(comparison.rawValue) \"b\" and duration > 1s"
            }
        } + [
            "count by bucket(duration, 100ms), coalesce(a, b, \"none\"), extract(url.path, \"^/api/(\\\\w+)\")",
            "sum(x) with x = if(a = 1, duration / 1s, b * 2 - 1) by x where not (a = 1 and b matches \"^x\")",
            "count by name order name asc, max(duration) desc limit 1000", "count by name compare 24h raw",
            "count compare previous every 1s", "count where root.name = \"a\" or parent.status = error",
            "count where any.duration > 1s and `odd name` = 1.5", "rate(demo.order.amount) of events by severity",
        ]

    private static func board(panels: [String]) throws -> Board {
        var board = Board(title: "A")
        board.time = .last(nanoseconds: 3_600_000_000_000)
        for text in panels {
            let query = try BoardQuery(text)
            let isHeatmap = query.query.calculations.contains { $0.function == .heatmap }
            board.panels.append(BoardPanel(title: text, content: .query(query, as: isHeatmap ? .heatmap : .line)))
        }
        return board
    }

    private static func translated(_ text: String) throws -> [String: Any] {
        let json =
            try JSONSerialization.jsonObject(with: HoneycombBoard(board(panels: [text])).json()) as? [String: Any]
        let queries = json?["queries"] as? [[String: Any]]
        return try #require(queries?.first?["query"] as? [String: Any])
    }

    private static func texts(_ value: Any?) -> [String] {
        (value as? [[String: Any]] ?? []).map { object in
            ["op", "column", "value"].compactMap { key in
                (object[key] as? String) ?? (object[key] as? NSNumber).map { "\($0)" }
            }.joined(separator: " ")
        }.sorted()
    }

    /// Requires that everything a board becomes is what Honeycomb takes.
    private static func check(_ board: HoneycombBoard) throws {
        let json = try #require(try JSONSerialization.jsonObject(with: board.json()) as? [String: Any])
        let queries = json["queries"] as? [[String: Any]] ?? []
        for query in queries {
            #expect(HoneycombSpecification.problems(inQuery: query["query"] as? [String: Any] ?? [:]) == [])
            let annotation = query["annotation"] as? [String: String] ?? [:]
            #expect((1...320).contains(annotation["name"]?.count ?? 0))
            #expect((annotation["description"]?.count ?? 0) <= 1_023)
        }
        let layout = json["board"] as? [String: Any] ?? [:]
        #expect(HoneycombSpecification.problems(inBoard: layout, queries: queries.count) == [])
        for trigger in json["triggers"] as? [[String: Any]] ?? [] {
            #expect(HoneycombSpecification.problems(inTrigger: trigger) == [])
        }
    }
}
