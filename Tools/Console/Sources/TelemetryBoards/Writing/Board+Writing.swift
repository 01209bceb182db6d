import TelemetryQuery

extension Board {
    /// The board as a file, in the canonical order of its keys.
    package var yaml: String {
        (header + BoardText.section("panels", panels.map(\.text)) + BoardText.section("alerts", alerts.map(\.text)))
            .joined(separator: "\n") + "\n"
    }

    /// The lines before the panels.
    var header: [String] {
        var lines = ["title: " + BoardText.scalar(title)]
        if let description { lines.append("description: " + BoardText.scalar(description)) }
        lines.append("time: " + BoardText.scalar(time.text))
        let texts = variables.map { variable in
            var fields = [("name", variable.name), ("field", BoardText.field(variable.field))]
            if let value = variable.value { fields.append(("value", value)) }
            return BoardText.item(fields.map { ($0, BoardText.scalar($1)) })
        }
        return lines + BoardText.section("variables", texts)
    }
}

extension BoardPanel {
    /// The panel as an item of a list.
    var text: [String] {
        var fields = [("title", BoardText.scalar(title))]
        if let note { fields.append(("note", BoardText.scalar(note))) }
        var more: [String] = []
        switch content {
        case .query(let query, let form):
            fields += [("query", BoardText.scalar(query.text)), ("as", form.rawValue)]
        case .funnel(let funnel):
            more = [
                "funnel:", "  by: " + BoardText.scalar(funnel.key.journeyKey),
                "  within: " + TimeRange.text(ofDuration: funnel.bound),
            ]
            if let condition = funnel.condition { more.append("  where: " + BoardText.scalar(condition.text)) }
            if let group = funnel.group { more.append("  group: " + BoardText.scalar(group.description)) }
            more.append("  steps:")
            for step in funnel.steps {
                more.append("    - name: " + BoardText.scalar(step.name))
                if let dataset = step.dataset { more.append("      of: " + dataset.rawValue) }
                more.append("      where: " + BoardText.scalar(step.condition.text))
            }
        case .flow(let flow):
            more = [
                "flow:", "  field: " + BoardText.scalar(BoardText.field(flow.field)),
                "  by: " + BoardText.scalar(flow.by.journeyKey),
            ]
        case .objective(let objective):
            more = [
                "objective:", "  query: " + BoardText.scalar(objective.query.text),
                "  target: " + BoardText.scalar(objective.targetText),
                "  window: " + TimeRange.text(ofDuration: objective.window),
            ]
            if let webhook = objective.webhook { more += webhook.fields.map { "  \($0): \($1)" } }
        }
        fields.append(("width", String(width)))
        return BoardText.item(fields) + more.map { "    " + $0 }
    }
}

extension AlertRule {
    /// The alert as an item of a list.
    var text: [String] {
        var fields = [("name", BoardText.scalar(name))]
        if let note { fields.append(("note", BoardText.scalar(note))) }
        fields.append(("query", BoardText.scalar(query.text)))
        let isAbove = if case .above = threshold { true } else { false }
        fields.append((isAbove ? "above" : "below", BoardText.scalar(thresholdText)))
        fields.append(("window", TimeRange.text(ofDuration: window)))
        fields.append(("every", TimeRange.text(ofDuration: interval)))
        fields.append(("for", String(times)))
        return BoardText.item(fields + (webhook?.fields ?? []))
    }
}

extension Webhook {
    /// The keys of an alert or an objective with their values as YAML.
    fileprivate var fields: [(String, String)] {
        [("webhook", BoardText.scalar(text))] + (format.map { [("format", $0.rawValue)] } ?? [])
    }
}

/// Writes YAML.
enum BoardText {
    static func section(_ name: String, _ items: [[String]]) -> [String] {
        items.isEmpty ? [] : ["\(name):"] + items.flatMap { $0 }
    }

    /// An item of a list with keys. The values are already YAML.
    static func item(_ fields: [(String, String)]) -> [String] {
        fields.enumerated().map { index, field in (index == 0 ? "  - " : "    ") + "\(field.0): \(field.1)" }
    }

    /// A number without decimals that it does not need.
    static func number(_ number: Double) -> String { Int64(exactly: number).map { String($0) } ?? String(number) }

    /// The name of a field as in a query.
    static func field(_ name: String) -> String { Expression.field(name).description }

    /// A text on one line, in quotes if YAML needs them.
    static func scalar(_ text: String) -> String {
        if isPlain(text) { return text }
        if text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && $0.value < 0x2028 }) {
            return "'" + text.replacing("'", with: "''") + "'"
        }
        return text.unicodeScalars.reduce(into: "\"") { quoted, scalar in
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case _ where scalar.properties.generalCategory == .control || (0x2028...0x2029).contains(scalar.value):
                quoted +=
                    "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
                    + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        } + "\""
    }

    /// Returns true if a text without quotes is read as this text.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), text.utf8.last != 0x20 else { return false }
        guard !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(text.lowercased()) else {
            return false
        }
        return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || " ._(),/-".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
