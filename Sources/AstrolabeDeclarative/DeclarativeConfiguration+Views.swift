import AstrolabeRecording

extension DeclarativeConfiguration {
    mutating func views(_ list: ConfigurationNode) -> [MetricView] {
        list.elements.map { node in
            var view = MetricView()
            if let selector = node["selector"] { select(selector, &view) }
            if let stream = node["stream"] { describe(stream, &view) }
            return view
        }
    }

    private func select(_ selector: ConfigurationNode, _ view: inout MetricView) {
        view.instrument = selector["instrument_name"]?.text
        view.unit = selector["unit"]?.text
        view.meter = selector["meter_name"]?.text
        view.meterVersion = selector["meter_version"]?.text
        view.meterSchemaURL = selector["meter_schema_url"]?.text
        view.kind = selector["instrument_type"]?.text.flatMap { Self.kinds[$0] }
    }

    private static let kinds: [String: MetricView.InstrumentKind] = [
        "counter": .counter, "up_down_counter": .upDownCounter, "histogram": .histogram, "gauge": .gauge,
        "observable_counter": .observableCounter, "observable_up_down_counter": .observableUpDownCounter,
        "observable_gauge": .observableGauge,
    ]

    private mutating func describe(_ stream: ConfigurationNode, _ view: inout MetricView) {
        view.name = stream["name"]?.text
        view.description = stream["description"]?.text
        view.cardinalityLimit = number("aggregation_cardinality_limit", of: stream, atMost: 20_000)
        view.attributeKeys = texts(stream["attribute_keys"]?["included"])
        view.excludedAttributeKeys = texts(stream["attribute_keys"]?["excluded"]) ?? []
        if let aggregation = stream["aggregation"]?.members.first { view.aggregation = self.aggregation(aggregation) }
    }

    private mutating func aggregation(_ member: ConfigurationMember) -> MetricView.Aggregation {
        switch member.key {
        case "drop": return .drop
        case "sum": return .sum
        case "last_value": return .lastValue
        case "explicit_bucket_histogram":
            let bounds = member.node["boundaries"]?.elements.compactMap(\.number)
            return .explicitBuckets(bounds ?? MetricView.Aggregation.defaultBounds)
        case "base2_exponential_bucket_histogram":
            return .base2Exponential(
                maxSize: number("max_size", of: member.node, atMost: 1_024) ?? 160,
                maxScale: number("max_scale", of: member.node, atMost: 20) ?? 20)
        default: return .default
        }
    }

    private mutating func number(_ key: String, of node: ConfigurationNode, atMost limit: Int) -> Int? {
        guard let value = node[key], let number = value.integer else { return nil }
        if number > limit { note(value, "at most \(limit) in this SDK.") }
        return number
    }

    private func texts(_ node: ConfigurationNode?) -> Set<String>? {
        node.map { Set($0.elements.compactMap(\.text)) }
    }
}
