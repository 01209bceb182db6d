import AstrolabeRecording
import AstrolabeTelemetryModel

/// The conditions of a rule of `rule_based`. A rule without any applies to every span.
struct SpanConditions: Sendable {
    /// The kind of parent of a span.
    enum Parent: String, CaseIterable, Sendable {
        case none, remote, local

        init(_ context: SpanContext?) {
            self = context.map { $0.isRemote ? .remote : .local } ?? .none
        }
    }

    /// A condition about one attribute that the span starts with.
    private struct Attribute: Sendable {
        let key: String
        let matches: @Sendable (String) -> Bool

        /// An array meets it if one of its elements does. Numbers and truth values are compared as text.
        func isMet(by value: AttributeValue) -> Bool {
            if case .array(let elements) = value { return elements.contains { matches($0.description) } }
            return matches(value.description)
        }
    }

    static let kinds: [String: SpanKind] = [
        "internal": .internal, "server": .server, "client": .client, "producer": .producer, "consumer": .consumer,
    ]

    private var attributes: [Attribute] = []
    private let spanKinds: Set<SpanKind>?
    private let parents: Set<Parent>?

    /// Reads a rule that the schema permits.
    init(_ rule: ConfigurationNode) {
        spanKinds = Self.texts(rule["span_kinds"]).map { Set($0.compactMap { Self.kinds[$0] }) }
        parents = Self.texts(rule["parent"]).map { Set($0.compactMap(Parent.init)) }
        if let node = rule["attribute_values"], let key = node["key"]?.text {
            let values = Self.texts(node["values"]) ?? []
            attributes.append(Attribute(key: key) { values.contains($0) })
        }
        if let node = rule["attribute_patterns"], let key = node["key"]?.text {
            let included = Self.texts(node["included"]).map { KeyPatterns($0) }
            let excluded = KeyPatterns(Self.texts(node["excluded"]) ?? [])
            attributes.append(Attribute(key: key) { !excluded.match($0) && included?.match($0) ?? true })
        }
    }

    /// Returns true if a span meets all conditions.
    func apply(to span: SamplingInput) -> Bool {
        if let spanKinds, !spanKinds.contains(span.kind) { return false }
        if let parents, !parents.contains(Parent(span.parent)) { return false }
        return attributes.allSatisfy { condition in
            span.attributes[condition.key].map(condition.isMet) ?? false
        }
    }

    private static func texts(_ node: ConfigurationNode?) -> Set<String>? {
        node.map { Set($0.elements.compactMap(\.text)) }
    }
}
