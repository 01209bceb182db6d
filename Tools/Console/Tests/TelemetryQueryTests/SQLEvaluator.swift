import GRDB

@testable import TelemetryQuery

/// Records in a table of SQLite, and the answers of plain SQL to queries over them.
struct SQLEvaluator {
    private let database: DatabaseQueue

    init(_ records: [QueryRecord]) throws {
        database = try DatabaseQueue()
        try database.write { database in
            let columns = SQLRecords.columns.map { "\"\($0.name)\" \($0.type)" }.joined(separator: ", ")
            try database.execute(sql: "CREATE TABLE records (time INTEGER, weight REAL, \(columns))")
            let places = Array(repeating: "?", count: SQLRecords.columns.count + 2).joined(separator: ", ")
            let insertion = try database.makeStatement(sql: "INSERT INTO records VALUES (\(places))")
            for record in records {
                let values = SQLRecords.columns.map { Self.databaseValue(record.fields[$0.name] ?? .missing) }
                try insertion.execute(
                    arguments: StatementArguments(
                        [record.time.databaseValue, record.adjustedCount.databaseValue] + values))
            }
        }
    }

    /// Returns what SQL answers, or `nil` if it cannot say the query.
    func evaluate(_ plan: QueryPlan) throws -> QueryResult? {
        guard let translation = try? SQLTranslation(plan.query) else { return nil }
        return try database.inDatabase { database in
            try Self.evaluate(plan, translation, in: database)
        }
    }

    private static func evaluate(
        _ plan: QueryPlan, _ translation: SQLTranslation, in database: Database,
    ) throws -> QueryResult {
        let window = SQLWindow(plan.query)
        let keys = translation.groups.indices.map { "k\($0)" }
        let named = try translation.calculations.enumerated().map {
            "\(try translation.value(of: $1, seconds: window.seconds)) AS c\($0)"
        }
        let grouping = keys.isEmpty ? "" : "GROUP BY \(keys.joined(separator: ", "))"
        try database.execute(
            sql: """
                DROP TABLE IF EXISTS temp.kept;
                CREATE TEMP TABLE kept AS SELECT * FROM (
                    SELECT \((keys + named).joined(separator: ", "))
                    FROM (\(base(translation, window))) \(grouping)
                ) WHERE \(translation.having) ORDER BY \(translation.order) LIMIT \(plan.query.limit)
                """)
        let current = try SQLAnswer(translation, window, plan.query, base(translation, window), in: database)
        var earlier: SQLAnswer?
        if let earlierWindow = window.earlier(plan.query.comparison) {
            earlier = try SQLAnswer(
                translation, earlierWindow, plan.query, base(translation, earlierWindow), in: database)
        }
        var rows = try Row.fetchAll(database, sql: "SELECT * FROM kept ORDER BY rowid").map { row in
            let key = SQLAnswer.key(of: row, translation)
            return ResultRow(
                key: key, isOther: false, values: current.values(of: key), comparison: earlier?.values(of: key))
        }
        if plan.query.having == nil, current.restCount > 0 || (earlier?.restCount ?? 0) > 0 {
            rows.append(ResultRow(key: [], isOther: true, values: current.rest, comparison: earlier?.rest))
        }
        return QueryResult(
            window: plan.window, comparisonWindow: plan.comparisonWindow, calculations: plan.query.calculations,
            groups: plan.query.groups, rows: rows, matchedRecords: current.matchedRecords,
            comparedRecords: earlier?.matchedRecords)
    }

    /// The records of the window that fulfil the condition, with their groups and their steps.
    private static func base(_ translation: SQLTranslation, _ window: SQLWindow) -> String {
        let keys = translation.groups.enumerated().map { "\($1.sql) AS k\($0)" }
        return """
            SELECT \((["records.*", "\(window.stepOfTime) AS step"] + keys).joined(separator: ", ")) FROM records
            WHERE time >= \(window.start) AND time < \(window.end) AND \(translation.condition)
            """
    }

    private static func databaseValue(_ value: QueryValue) -> DatabaseValue {
        switch value {
        case .missing: .null
        case .bool(let value): (value ? 1 : 0).databaseValue
        case .int(let value): value.databaseValue
        case .double(let value): value.databaseValue
        case .string(let value): value.databaseValue
        }
    }
}

/// The values of one window, by group and by step.
private struct SQLAnswer {
    let matchedRecords: Int
    let restCount: Int
    private(set) var rest = ResultValues(totals: [], series: [])
    private var values: [[QueryValue]: ResultValues] = [:]
    private let empty: ResultValues

    init(
        _ translation: SQLTranslation, _ window: SQLWindow, _ query: Query, _ base: String, in database: Database,
    ) throws {
        let count = query.calculations.count
        let keys = translation.groups.indices.map { "k\($0)" }
        func values(_ row: Row) -> [ResultValue] {
            (0..<count).map { .init(Double.fromDatabaseValue(row["c\($0)"])) }
        }
        func select(_ columns: [String], seconds: String, where condition: String = "1", by: [String]) throws -> [Row] {
            let calculations = try query.calculations.enumerated().map {
                "\(try translation.value(of: $1, seconds: seconds)) AS c\($0)"
            }
            let grouping = by.isEmpty ? "" : "GROUP BY \(by.joined(separator: ", "))"
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT \((columns + calculations + ["count(*) AS records"]).joined(separator: ", "))
                    FROM (\(base)) AS base WHERE \(condition) \(grouping)
                    """)
        }
        let none = try select([], seconds: "1", where: "0", by: [])[0]
        let steps = window.stepCount
        empty = ResultValues(totals: values(none), series: Array(repeating: values(none), count: steps))
        for row in try select(keys, seconds: window.seconds, by: keys) {
            self.values[Self.key(of: row, translation)] = ResultValues(totals: values(row), series: empty.series)
        }
        let isRest =
            "NOT EXISTS (SELECT 1 FROM kept WHERE \((["1"] + keys.map { "kept.\($0) IS base.\($0)" }).joined(separator: " AND ")))"
        let all = try select([], seconds: window.seconds, by: [])[0]
        matchedRecords = all["records"]
        let rest = try select([], seconds: window.seconds, where: isRest, by: [])[0]
        restCount = rest["records"]
        self.rest = ResultValues(totals: values(rest), series: empty.series)
        guard steps > 0 else { return }
        for row in try select(keys + ["step"], seconds: window.secondsOfStep, by: keys + ["step"]) {
            self.values[Self.key(of: row, translation)]?.series[row["step"]] = values(row)
        }
        for row in try select(["step"], seconds: window.secondsOfStep, where: isRest, by: ["step"]) {
            self.rest.series[row["step"]] = values(row)
        }
    }

    func values(of key: [QueryValue]) -> ResultValues { values[key] ?? empty }

    static func key(of row: Row, _ translation: SQLTranslation) -> [QueryValue] {
        translation.groups.enumerated().map { index, group in
            let value: DatabaseValue = row["k\(index)"]
            return switch value.storage {
            case .int64(let int): group.type == .bool ? .bool(int != 0) : .int(int)
            case .double(let double): .double(double)
            case .string(let text): .string(text)
            case .null, .blob: .missing
            }
        }
    }
}

/// The time of a query in SQL. The queries of these tests say their granularity.
private struct SQLWindow {
    private(set) var start: Int64
    private(set) var end: Int64
    private var origin: Int64
    private let step: Int64?

    init(_ query: Query) {
        let bounds =
            switch query.time {
            case .last(let length): (start: RandomRecords.now + 1 - length, end: RandomRecords.now + 1)
            case .between(let from, let to): (start: from, end: to)
            }
        (start, end) = bounds
        if case .fixed(let length) = query.granularity {
            step = length
            origin = bounds.start - bounds.start % length
        } else {
            step = nil
            origin = bounds.start
        }
    }

    func earlier(_ comparison: Comparison?) -> SQLWindow? {
        var window = self
        switch comparison {
        case nil: return nil
        case .previous:
            window.start -= end - start
            window.origin -= end - start
            window.end = start
        case .earlier(let length):
            window.start -= length
            window.origin -= length
            window.end -= length
        }
        return window
    }

    var stepCount: Int { step.map { Int((end - 1 - origin) / $0) + 1 } ?? 0 }
    var stepOfTime: String { step.map { "(time - \(origin)) / \($0)" } ?? "0" }
    var seconds: String { "(\(end - start) / 1e9)" }

    var secondsOfStep: String {
        let from = "\(origin) + step * \(step ?? 0)"
        return "((min(\(end), \(from) + \(step ?? 0)) - max(\(start), \(from))) / 1e9)"
    }
}

/// Random records with one type for each field, as a table of SQL has.
struct SQLRecords {
    static let columns: [(name: String, type: String)] = [
        ("name", "TEXT"), ("duration", "INTEGER"), ("status", "TEXT"), ("text", "TEXT"), ("flag", "INTEGER"),
        ("size", "REAL"), ("rare", "INTEGER"), ("user", "TEXT"), ("session.id", "TEXT"), ("trace.id", "TEXT"),
        ("attribute.service.name", "TEXT"), ("resource.service.name", "TEXT"),
        ("http.response.status_code", "INTEGER"),
        ("http.status_code", "INTEGER"),
    ]

    static func record(using random: inout SeededNumbers) -> QueryRecord {
        var record = RandomRecords.record(using: &random)
        record.fields["odd"] = nil
        for field in ["http.response.status_code", "http.status_code"] where record.fields[field] != nil {
            record.fields[field] = random.pick([.int(200), .int(404), .int(500)])
        }
        return record
    }
}
