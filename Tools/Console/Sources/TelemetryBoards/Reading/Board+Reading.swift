package import Foundation
import TelemetryQuery
import Yams

extension Board {
    /// Reads a board file.
    ///
    /// - Parameter file: The name of the file, for errors.
    /// - Throws: `BoardError` that names the file, the line and what was expected.
    package init(yaml: String, file: String) throws(BoardError) {
        guard yaml.utf8.count <= BoardLimits.bytes else {
            throw BoardError(file: file, line: nil, message: "expected at most \(BoardLimits.bytes) bytes")
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: yaml)
        } catch {
            throw BoardError(file: file, yaml: error)
        }
        guard let root else { throw BoardError(file: file, line: 1, message: "expected a board, found nothing") }
        self = try Board(BoardNode(file: file, name: "", node: root))
    }

    /// Reads a board as JSON, which has the keys of the file.
    package init(json: Data) throws(BoardError) {
        // JSON is YAML, so its values are checked in one place. YAML is not JSON.
        guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
            let plain = try? JSONSerialization.data(withJSONObject: object, options: .withoutEscapingSlashes)
        else { throw BoardError(file: "body", line: nil, message: "expected a board as a JSON object") }
        let text = String(decoding: plain, as: UTF8.self).unicodeScalars.reduce(into: "") { text, scalar in
            // YAML has control characters that JSON does not escape, and two more ends of a line.
            if (0x7F...0x9F).contains(scalar.value) || (0x2028...0x2029).contains(scalar.value) {
                text += "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        self = try Board(yaml: text, file: "body")
    }

    private init(_ root: BoardNode) throws(BoardError) {
        let keys = try root.keys(
            ["title", "description", "time", "variables", "panels", "alerts"], needed: ["title"])
        self.init(title: try keys["title"]?.text(atMost: BoardLimits.title) ?? "")
        description = try keys["description"]?.text(atMost: BoardLimits.note)
        if let time = keys["time"] {
            self.time = try time.query { text throws(QueryError) in try TimeRange(text: text) }
        }
        for item in try keys["variables"]?.items(atMost: BoardLimits.variables) ?? [] {
            variables.append(try BoardVariable(item))
        }
        var names: Set<String> = []
        var objectives = 0
        for item in try keys["panels"]?.items(atMost: BoardLimits.panels) ?? [] {
            let panel = try BoardPanel(item)
            panels.append(panel)
            guard case .objective = panel.content else { continue }
            objectives += 1
            guard objectives <= BoardLimits.objectives else {
                throw item.error("expected at most \(BoardLimits.objectives) objectives")
            }
            for rule in panel.rules where !names.insert(rule.name).inserted {
                throw item.error("expected another title, because two objectives are called \(panel.title)")
            }
        }
        for item in try keys["alerts"]?.items(atMost: BoardLimits.alerts) ?? [] {
            let alert = try AlertRule(item)
            guard names.insert(alert.name).inserted else {
                throw item.error("expected another name, because two alerts are called \(alert.name)")
            }
            alerts.append(alert)
        }
        guard !panels.isEmpty || !alerts.isEmpty else { throw root.error("expected panels or alerts") }
    }
}

extension BoardVariable {
    fileprivate init(_ node: BoardNode) throws(BoardError) {
        let keys = try node.keys(["name", "field", "value"], needed: ["name", "field"])
        name = try keys["name"]?.text(atMost: 40) ?? ""
        field = try keys["field"]?.field() ?? ""
        value = try keys["value"]?.text(atMost: 200)
    }
}

extension BoardPanel {
    fileprivate init(_ node: BoardNode) throws(BoardError) {
        let keys = try node.keys(
            ["title", "note", "query", "as", "funnel", "flow", "objective", "width"], needed: ["title"])
        title = try keys["title"]?.text(atMost: BoardLimits.title) ?? ""
        note = try keys["note"]?.text(atMost: BoardLimits.note)
        if let width = keys["width"] { self.width = try width.number(2...BoardLimits.columns) }
        let contents = ["query", "funnel", "flow", "objective"].compactMap { keys[$0] }
        guard contents.count == 1, let first = contents.first else {
            let found = contents.isEmpty ? "none" : "several"
            throw node.error("expected query, funnel, flow or objective, found \(found)")
        }
        if first.name != "query", let form = keys["as"] { throw form.error("expected only beside query") }
        switch first.name {
        case "query":
            let query = try first.query { text throws(QueryError) in try BoardQuery(text) }
            let hasHeatmap = query.query.calculations.contains { $0.function == .heatmap }
            let form = try keys["as"]?.choice(PanelForm.self) ?? (hasHeatmap ? .heatmap : .line)
            guard (form == .heatmap) == hasHeatmap else {
                throw first.error("expected as: heatmap with a calculation heatmap(…), and with no other")
            }
            content = .query(query, as: form)
        case "funnel": content = .funnel(try FunnelQuery(first))
        case "objective": content = .objective(try Objective(first))
        default:
            let keys = try first.keys(["field", "by"], needed: ["field", "by"])
            guard let by = keys["by"] else { throw first.error("expected by") }
            content = .flow(Flow(field: try keys["field"]?.field() ?? "", by: try by.journeyKey()))
        }
    }
}

extension FunnelQuery {
    fileprivate init(_ node: BoardNode) throws(BoardError) {
        let keys = try node.keys(["by", "within", "where", "group", "steps"], needed: ["steps"])
        self.init(steps: [])
        if let by = keys["by"] { key = try by.journeyKey() }
        if let within = keys["within"] { bound = try within.duration() }
        condition = try keys["where"]?.condition()
        if let group = keys["group"] {
            self.group = try group.query { text throws(QueryError) in try BoardNode.expression(text) }
        }
        for item in try keys["steps"]?.items(atMost: Self.stepLimit) ?? [] { steps.append(try FunnelStep(item)) }
        guard steps.count >= 2 else { throw node.error("expected at least two steps") }
    }
}

extension FunnelStep {
    fileprivate init(_ node: BoardNode) throws(BoardError) {
        let keys = try node.keys(["name", "of", "where"], needed: ["name", "where"])
        guard let name = keys["name"], let condition = keys["where"] else {
            throw node.error("expected name and where")
        }
        self.init(try name.text(atMost: BoardLimits.title), try condition.condition())
        if let of = keys["of"] {
            let choice = try of.choice(Dataset.self)
            guard choice == .spans || choice == .events else { throw of.error("expected spans or events") }
            dataset = choice
        }
    }
}

extension AlertRule {
    fileprivate init(_ node: BoardNode) throws(BoardError) {
        let keys = try node.keys(
            ["name", "note", "query", "above", "below", "window", "every", "for", "webhook", "format"],
            needed: ["name", "query", "window"])
        name = try keys["name"]?.text(atMost: BoardLimits.title) ?? ""
        note = try keys["note"]?.text(atMost: BoardLimits.note)
        guard let text = keys["query"], let window = keys["window"] else { throw node.error("expected query") }
        query = try text.query { text throws(QueryError) in try BoardQuery(text) }
        guard query.query.calculations.count == 1, query.query.calculations.first?.function != .heatmap else {
            throw text.error("expected one calculation, and no heatmap")
        }
        let thresholds = [keys["above"], keys["below"]].compactMap { $0 }
        guard thresholds.count == 1, let limit = thresholds.first else {
            throw node.error("expected above or below, found \(thresholds.isEmpty ? "none" : "both")")
        }
        thresholdText = try limit.text(atMost: 40)
        let isShare = query.query.calculations.first?.function == .ratio
        guard let number = try isShare ? limit.share() : Self.number(thresholdText) else {
            throw limit.error(
                isShare ? "expected a share such as 5% or 0.05" : "expected a number, or one with a unit such as 500ms")
        }
        threshold = limit.name == "above" ? .above(number) : .below(number)
        self.window = try window.duration()
        if let every = keys["every"] {
            interval = try every.duration()
            guard interval >= 10_000_000_000 else { throw every.error("expected at least 10s") }
        }
        if let times = keys["for"] { self.times = try times.number(1...100) }
        webhook = try Webhook(keys)
    }

    private static func number(_ text: String) -> Double? {
        guard case .literal(let literal) = try? BoardNode.expression(text) else { return nil }
        return literal.value.number
    }
}

extension Objective {
    fileprivate init(_ node: BoardNode) throws(BoardError) {
        let keys = try node.keys(
            ["query", "target", "window", "webhook", "format"], needed: ["query", "target"])
        guard let text = keys["query"], let target = keys["target"] else { throw node.error("expected query") }
        let query = try text.query { text throws(QueryError) in try BoardQuery(text) }
        guard query.query.calculations.count == 1, query.query.calculations.first?.function == .ratio,
            query.query.groups.isEmpty
        else { throw text.error("expected one ratio(where …), the share of good records, without by") }
        guard let share = try target.share(), share > 0, share < 1 else {
            throw target.error("expected a share between 0 and 1 such as 99.5%")
        }
        self.init(query: query, target: share, targetText: try target.text(atMost: 40))
        if let window = keys["window"] { self.window = try window.duration() }
        guard window > Self.burnRates[0].window, window <= AlertRule.reach * 3 else {
            throw node.error("expected a window between 1h and 90d")
        }
        webhook = try Webhook(keys)
    }
}

extension Webhook {
    /// Reads the keys `webhook` and `format`; `nil` without both.
    fileprivate init?(_ keys: [String: BoardNode]) throws(BoardError) {
        guard let webhook = keys["webhook"] else {
            if let format = keys["format"] { throw format.error("expected only beside webhook") }
            return nil
        }
        self.init(try Address(webhook), format: try keys["format"]?.choice(Format.self))
        if format == .pagerduty, case .loopback = address {
            throw webhook.error(
                "expected an environment variable such as $PAGERDUTY, because its address ends with the routing key")
        }
    }
}

extension Webhook.Address {
    fileprivate init(_ node: BoardNode) throws(BoardError) {
        let text = try node.text(atMost: 200)
        if text.hasPrefix("$"),
            text.dropFirst().allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }),
            text.count > 1
        {
            self = .variable(String(text.dropFirst()))
            return
        }
        guard let url = URL(string: text), url.scheme == "http", ["127.0.0.1", "localhost"].contains(url.host),
            url.user == nil, url.password == nil, url.fragment == nil
        else {
            // The text may be a secret, so the message does not repeat it.
            throw node.error(
                "expected an environment variable such as $CHECKOUT_WEBHOOK, because an address is a secret, "
                    + "or an address of this machine such as http://127.0.0.1:9000/alert")
        }
        self = .loopback(text)
    }
}

extension BoardNode {
    /// Reads the name of a field as it is in a query.
    fileprivate func field() throws(BoardError) -> String {
        let expression = try query { text throws(QueryError) in try BoardNode.expression(text) }
        guard case .field(let name) = expression else { throw error("expected the name of a field") }
        return name
    }

    fileprivate func journeyKey() throws(BoardError) -> TelemetryQuery.Expression {
        try query { text throws(QueryError) in try TelemetryQuery.Expression(journeyKey: text) }
    }

    fileprivate func condition() throws(BoardError) -> Condition {
        try query { text throws(QueryError) in try Condition(text: text) }
    }

    /// Reads a share such as `99.5%` or `0.995`; `nil` if it is none.
    fileprivate func share() throws(BoardError) -> Double? {
        let text = try text(atMost: 40)
        let isPercent = text.hasSuffix("%")
        let number = Double(isPercent ? text.dropLast().trimmingCharacters(in: .whitespaces) : text)
        guard let number, number.isFinite else { return nil }
        return isPercent ? number / 100 : number
    }

    fileprivate func duration() throws(BoardError) -> Int64 {
        try query { text throws(QueryError) in try TimeRange.nanoseconds(ofDuration: text) }
    }
}
