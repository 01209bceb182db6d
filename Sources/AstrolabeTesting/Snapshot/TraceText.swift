import AstrolabeTelemetryModel

/// Writes trees of spans as text that is the same in every run of the same test.
///
///     span checkout
///       demo.order.amount: 57.08
///       event demo.order.placed
///       span charge card, client, error "declined"
///
/// It has no times and no durations. Ids and times in texts are replaced, and equal ids by the same number.
struct TraceText {
    private let keys: Set<String>
    private let prefixes: [String]
    private let relations: CollectedSpanRelations
    private var normalizer = TextNormalizer()
    private(set) var lines: [String] = []

    /// - Parameter attributes: Keys, or the beginning of keys before a `*`.
    init(attributes: [String], relations: CollectedSpanRelations) {
        keys = Set(attributes.filter { !$0.hasSuffix("*") })
        prefixes = attributes.filter { $0.hasSuffix("*") }.map { String($0.dropLast()) }
        self.relations = relations
    }

    mutating func write(_ tree: TraceTree, depth: Int = 0) {
        let span = tree.span
        var line = "span \(inOneLine(span.name))"
        if let kind = span.kind, kind != .internal { line += ", \(kind)" }
        if span.status != .unset { line += ", \(normalizer.normalized(span.status.literal))" }
        add(line, depth)
        write(span.attributes, depth + 1)
        for link in span.links {
            let target = relations.span(link.context).map { inOneLine($0.name) } ?? "a span that has not arrived"
            add("link to \(target)", depth + 1)
            write(link.attributes, depth + 2)
        }
        for event in relations.events(of: span) {
            add("event \(inOneLine(event.name))", depth + 1)
            write(event.attributes, depth + 2)
        }
        for child in tree.children { write(child, depth: depth + 1) }
    }

    private mutating func write(_ attributes: Attributes, _ depth: Int) {
        for attribute in attributes.sortedByKey where isSelected(attribute.key) {
            add("\(attribute.key): \(normalizer.normalized(attribute.value.literal))", depth)
        }
    }

    private func isSelected(_ key: String) -> Bool {
        keys.contains(key) || prefixes.contains { key.hasPrefix($0) }
    }

    private mutating func inOneLine(_ name: String) -> String {
        normalizer.normalized(name.split(whereSeparator: \.isNewline).joined(separator: " "))
    }

    private mutating func add(_ line: String, _ depth: Int) {
        lines.append(String(repeating: "  ", count: depth) + line)
    }
}
