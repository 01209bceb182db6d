import Foundation

/// The published rules of Honeycomb's API: the query specification, the body of a board and that of a trigger.
///
/// Sources: <https://docs.honeycomb.io/reference/query-specification/>, <https://api-docs.honeycomb.io/api/queries>,
/// `/api/boards` and `/api/triggers`.
enum HoneycombSpecification {
    static let operations: Set = [
        "COUNT", "CONCURRENCY", "SUM", "AVG", "COUNT_DISTINCT", "HEATMAP", "MAX", "MIN", "P001", "P01", "P05", "P10",
        "P20",
        "P25", "P50", "P75", "P80", "P90", "P95", "P99", "P999", "RATE_AVG", "RATE_SUM", "RATE_MAX",
    ]
    private static let withoutColumn: Set = ["COUNT", "CONCURRENCY"]
    private static let filters: Set = [
        "=", "!=", ">", ">=", "<", "<=", "starts-with", "does-not-start-with", "ends-with", "does-not-end-with",
        "exists",
        "does-not-exist", "contains", "does-not-contain", "in", "not-in",
    ]
    private static let functions: Set = [
        "IF", "SWITCH", "COALESCE", "LT", "LTE", "GT", "GTE", "EQUALS", "IN", "EXISTS", "NOT", "AND", "OR", "MIN",
        "MAX",
        "SUM", "SUB", "MUL", "DIV", "MOD", "LOG10", "INT", "FLOAT", "BOOL", "STRING", "CONCAT", "STARTS_WITH",
        "ENDS_WITH",
        "CONTAINS", "TO_LOWER", "LENGTH", "REG_MATCH", "REG_VALUE", "REG_COUNT", "UNIX_TIMESTAMP", "EVENT_TIMESTAMP",
        "INGEST_TIMESTAMP", "FORMAT_TIME", "BUCKET",
    ]
    private static let offsets: Set = [1_800, 3_600, 7_200, 28_800, 86_400, 604_800, 2_419_200, 15_724_800]
    private static let queryKeys: Set = [
        "calculations", "filters", "filter_combination", "breakdowns", "orders", "havings", "limit", "time_range",
        "start_time", "end_time", "granularity", "calculated_fields", "compare_time_offset_seconds", "usage_mode",
    ]

    /// Returns the violations of a query.
    static func problems(inQuery query: [String: Any]) -> [String] {
        var problems = query.keys.filter { !queryKeys.contains($0) }.map { "unknown key \($0)" }
        let calculations = objects(query["calculations"])
        let breakdowns = query["breakdowns"] as? [String] ?? []
        if calculations.count > 100 || breakdowns.count > 100 { problems.append("more than 100 items") }
        for calculation in calculations { problems += self.problems(ofOperation: calculation, key: "op") }
        for filter in objects(query["filters"]) { problems += self.problems(ofFilter: filter) }
        if let combination = query["filter_combination"] as? String, !["AND", "OR"].contains(combination) {
            problems.append("filter_combination \(combination)")
        }
        for order in objects(query["orders"]) {
            if !["ascending", "descending"].contains(order["order"] as? String ?? "ascending") {
                problems.append("order \(order)")
            }
            if order["op"] != nil {
                if !calculations.contains(where: { same($0, order, "op") }) {
                    problems.append("order of no calculation \(order)")
                }
                if order["op"] as? String == "HEATMAP" { problems.append("order of a heatmap") }
            } else if !breakdowns.contains(order["column"] as? String ?? "") {
                problems.append("order of no breakdown \(order)")
            }
        }
        for having in objects(query["havings"]) {
            problems += self.problems(ofOperation: having, key: "calculate_op")
            if having["calculate_op"] as? String == "HEATMAP" { problems.append("having of a heatmap") }
            if !["=", "!=", ">", ">=", "<", "<="].contains(having["op"] as? String ?? "") {
                problems.append("having \(having)")
            }
            if !(having["value"] is NSNumber) { problems.append("having without a number \(having)") }
            if !calculations.contains(where: {
                $0["op"] as? String == having["calculate_op"] as? String
                    && $0["column"] as? String == having["column"] as? String
            }) {
                problems.append("having of no calculation \(having)")
            }
        }
        let range = query["time_range"] as? Int ?? 7_200
        if range < 1 { problems.append("time_range \(range)") }
        if let limit = query["limit"] as? Int, !(1...1_000).contains(limit) { problems.append("limit \(limit)") }
        if let step = query["granularity"] as? Int, step < 1 || step < range / 1_000 || step > range / 10 {
            problems.append("granularity \(step) of \(range)")
        }
        if let offset = query["compare_time_offset_seconds"] as? Int, !offsets.contains(offset) || offset < range {
            problems.append("compare_time_offset_seconds \(offset)")
        }
        var names: Set<String> = []
        for field in objects(query["calculated_fields"]) {
            guard let name = field["name"] as? String, let expression = field["expression"] as? String else {
                problems.append("calculated field \(field)")
                continue
            }
            if !names.insert(name).inserted { problems.append("two calculated fields \(name)") }
            problems += self.problems(inExpression: expression)
        }
        return problems
    }

    private static func problems(ofOperation object: [String: Any], key: String) -> [String] {
        guard let op = object[key] as? String, operations.contains(op) else { return ["operation of \(object)"] }
        let hasColumn = object["column"] is String
        return hasColumn == withoutColumn.contains(op) ? ["column of \(object)"] : []
    }

    private static func problems(ofFilter filter: [String: Any]) -> [String] {
        guard let op = filter["op"] as? String, filters.contains(op), filter["column"] is String else {
            return ["filter \(filter)"]
        }
        let isRight =
            switch op {
            case "exists", "does-not-exist": filter["value"] == nil
            case "in", "not-in": filter["value"] is [Any]
            default: filter["value"] is NSNumber || filter["value"] is String
            }
        return isRight ? [] : ["value of the filter \(filter)"]
    }

    private static func same(_ one: [String: Any], _ other: [String: Any], _ key: String) -> Bool {
        one[key] as? String == other[key] as? String && one["column"] as? String == other["column"] as? String
    }

    private static func objects(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }

    /// Returns the violations of the body that creates a board. Query ids are not known before the queries exist.
    static func problems(inBoard board: [String: Any], queries: Int) -> [String] {
        var problems: [String] = []
        if board["type"] as? String != "flexible" { problems.append("type") }
        if !(1...255).contains((board["name"] as? String ?? "").count) { problems.append("name") }
        if (board["description"] as? String ?? "").count > 1_024 { problems.append("description") }
        if !["auto", "manual"].contains(board["layout_generation"] as? String ?? "") { problems.append("layout") }
        let filters = objects(board["preset_filters"])
        if filters.count > 5 { problems.append("more than 5 preset filters") }
        for filter in filters where (filter["alias"] as? String ?? "").count > 50 || !(filter["column"] is String) {
            problems.append("preset filter \(filter)")
        }
        for panel in objects(board["panels"]) {
            let position = panel["position"] as? [String: Int] ?? [:]
            if position.values.contains(where: { $0 < 0 }) || position.count != 4
                || (position["x_coordinate"] ?? 0) + (position["width"] ?? 0) > 12
            {
                problems.append("position \(position)")
            }
            switch panel["type"] as? String {
            case "query":
                let query = panel["query_panel"] as? [String: Any] ?? [:]
                if !["graph", "table", "combo"].contains(query["query_style"] as? String ?? "") {
                    problems.append("style")
                }
                let names = (0..<queries).map { "queries[\($0)]" }
                if !names.contains(query["query_id"] as? String ?? "")
                    || query["query_annotation_id"] as? String != query["query_id"] as? String
                {
                    problems.append("query of \(panel)")
                }
                let settings = query["visualization_settings"] as? [String: Any] ?? [:]
                let kinds: Set = ["default", "line", "stacked", "stat", "tsbar", "cbar", "cpie"]
                for chart in objects(settings["charts"]) where !kinds.contains(chart["chart_type"] as? String ?? "") {
                    problems.append("chart \(chart)")
                }
            case "text":
                let text = (panel["text_panel"] as? [String: Any])?["content"] as? String ?? ""
                if !(1...10_000).contains(text.count) { problems.append("text of \(panel)") }
            default: problems.append("panel \(panel)")
            }
        }
        return problems
    }

    /// Returns the violations of the body that creates a trigger.
    static func problems(inTrigger trigger: [String: Any]) -> [String] {
        var problems: [String] = []
        let query = trigger["query"] as? [String: Any] ?? [:]
        problems += self.problems(inQuery: query)
        if objects(query["calculations"]).count != 1 { problems.append("a trigger has one calculation") }
        if objects(query["calculations"]).first?["op"] as? String == "HEATMAP" { problems.append("heatmap") }
        if !(1...120).contains((trigger["name"] as? String ?? "").count) { problems.append("name") }
        let threshold = trigger["threshold"] as? [String: Any] ?? [:]
        if ![">", ">=", "<", "<="].contains(threshold["op"] as? String ?? "") || !(threshold["value"] is NSNumber)
            || !(1...5).contains(threshold["exceeded_limit"] as? Int ?? 0)
        {
            problems.append("threshold \(threshold)")
        }
        let frequency = trigger["frequency"] as? Int ?? 0
        let range = query["time_range"] as? Int ?? 0
        if !(60...86_400).contains(frequency) || frequency % 60 != 0 || range > 4 * frequency || range > 86_400 {
            problems.append("frequency \(frequency) of \(range)")
        }
        return problems
    }

    /// Checks an expression against the grammar of calculated fields: functions, columns and literals.
    static func problems(inExpression text: String) -> [String] {
        var reader = ExpressionReader(Array(text.unicodeScalars), functions: functions)
        return reader.read() ? [] : ["expression at \(reader.position) in \(text)"]
    }
}

private struct ExpressionReader {
    let text: [Unicode.Scalar]
    let functions: Set<String>
    var position = 0

    init(_ text: [Unicode.Scalar], functions: Set<String>) {
        self.text = text
        self.functions = functions
    }

    mutating func read() -> Bool { expression() && position == text.count }

    private var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func word(_ isPart: (Unicode.Scalar) -> Bool) -> String {
        var word = ""
        while let scalar = next, isPart(scalar) {
            word.unicodeScalars.append(scalar)
            position += 1
        }
        return word
    }

    private mutating func expression() -> Bool {
        switch next {
        case "$":
            position += 1
            if next == "\"" { return string("\"") }
            return !word { $0.properties.isAlphabetic || "0123456789_./:=+?-".unicodeScalars.contains($0) }.isEmpty
        case "\"": return string("\"")
        case "`": return string("`")
        case "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9":
            return Double(word { "0123456789-+.eE".unicodeScalars.contains($0) }) != nil
        default:
            let name = word { $0.isASCII && ($0.properties.isAlphabetic || "0123456789_".unicodeScalars.contains($0)) }
            if ["true", "false", "null"].contains(name) { return true }
            guard functions.contains(name), take("(") else { return false }
            repeat {
                while take(" ") {}
                guard expression() else { return false }
            } while take(",")
            return take(")")
        }
    }

    private mutating func string(_ quote: Unicode.Scalar) -> Bool {
        position += 1
        while let scalar = next, scalar != quote {
            if scalar == "\\", quote == "\"" { position += 1 }
            position += 1
        }
        return take(quote)
    }
}
