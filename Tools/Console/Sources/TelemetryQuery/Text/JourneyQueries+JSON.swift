package import Foundation

/// The JSON form of a funnel. `Docs/Guide/Journeys.md` describes it.
extension FunnelQuery: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case steps
        case by
        case within
        case `where`
        case group
        case time
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(Key.self)
        self.init(steps: try container.decode([FunnelStep].self, forKey: .steps))
        if let key = try container.decodeIfPresent(KeyText.self, forKey: .by) { self.key = key.key }
        if let text = try container.decodeIfPresent(String.self, forKey: .within) {
            guard let literal = QueryText.number(text), literal.unit?.isDuration == true,
                case .int(let nanoseconds) = literal.value
            else {
                throw container.error(.within, "Expected a duration such as 30m or 1h, found \"\(text.prefix(50))\".")
            }
            bound = nanoseconds
        }
        condition = try container.decodeIfPresent(ConditionText.self, forKey: .where)?.condition
        group = try container.decodeIfPresent(Expression.self, forKey: .group)
        if let time = try container.decodeIfPresent(TimeText.self, forKey: .time) { self.time = time.range }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(steps, forKey: .steps)
        try container.encode(KeyText(key: key), forKey: .by)
        try container.encode(QueryText.text(ofDuration: bound), forKey: .within)
        try container.encodeIfPresent(condition.map(ConditionText.init), forKey: .where)
        try container.encodeIfPresent(group, forKey: .group)
        try container.encodeIfPresent(time.map(TimeText.init), forKey: .time)
    }

    /// - Throws: `QueryError` that names the path, such as `steps[1].where`.
    package init(json: Data) throws(QueryError) {
        self = try QueryError.decoding(json)
    }
}

extension FunnelStep: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case name
        case of
        case `where`
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(Key.self)
        name = try container.decode(String.self, forKey: .name)
        condition = try container.decode(ConditionText.self, forKey: .where).condition
        dataset = try container.decodeIfPresent(String.self, forKey: .of).map { word in
            guard let dataset = FunnelQuery.datasets.first(where: { $0.rawValue == word }) else {
                throw container.error(.of, word, among: FunnelQuery.datasets.map(\.rawValue))
            }
            return dataset
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(ConditionText(condition: condition), forKey: .where)
        try container.encodeIfPresent(dataset?.rawValue, forKey: .of)
    }
}

/// The JSON form of a flow. `Docs/Guide/Journeys.md` describes it.
extension FlowQuery: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case field
        case by
        case `where`
        case depth
        case limit
        case time
    }

    package init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.strictContainer(Key.self)
        if let field = try container.decodeIfPresent(Expression.self, forKey: .field), field != self.field {
            self.field = field
            // The default is about screens.
            condition = nil
        }
        if let key = try container.decodeIfPresent(KeyText.self, forKey: .by) { self.key = key.key }
        if let text = try container.decodeIfPresent(ConditionText.self, forKey: .where) { condition = text.condition }
        depth = try container.decodeIfPresent(Int.self, forKey: .depth) ?? depth
        limit = try container.decodeIfPresent(Int.self, forKey: .limit) ?? limit
        if let time = try container.decodeIfPresent(TimeText.self, forKey: .time) { self.time = time.range }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(field, forKey: .field)
        try container.encode(KeyText(key: key), forKey: .by)
        try container.encodeIfPresent(condition.map(ConditionText.init), forKey: .where)
        try container.encode(depth, forKey: .depth)
        try container.encode(limit, forKey: .limit)
        try container.encode(TimeText(range: time), forKey: .time)
    }

    /// - Throws: `QueryError` that names the path, such as `field`.
    package init(json: Data) throws(QueryError) {
        self = try QueryError.decoding(json)
    }
}

/// A condition that is one text in the JSON form.
private struct ConditionText: Codable, CustomStringConvertible, WrittenAsText {
    let condition: Condition

    var description: String { condition.text { $0.description } }

    init(condition: Condition) {
        self.condition = condition
    }

    init(from decoder: any Decoder) throws {
        condition = try decoder.parsed("condition") { parser throws(QueryError) in try parser.condition() }
    }
}

extension Decoder {
    /// Reads a text, and reports the start of one that `parse` rejects.
    fileprivate func read<Value>(_ parse: (String) throws(QueryError) -> Value) throws -> Value {
        let text = try singleValueContainer().decode(String.self)
        do throws(QueryError) {
            return try parse(text)
        } catch {
            throw self.error("Cannot read \"\(text.prefix(100))\". \(error.message)")
        }
    }
}

/// The text form of the value that links the records of a journey.
private struct KeyText: Codable {
    let key: Expression

    init(key: Expression) {
        self.key = key
    }

    init(from decoder: any Decoder) throws {
        key = try decoder.read { text throws(QueryError) in try Expression(journeyKey: text) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(key.journeyKey)
    }
}

/// A time such as `last 24h`.
private struct TimeText: Codable {
    let range: TimeRange

    init(range: TimeRange) {
        self.range = range
    }

    init(from decoder: any Decoder) throws {
        range = try decoder.read { text throws(QueryError) in try Query(text: "count \(text)").time }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch range {
        case .last(let nanoseconds): try container.encode("last \(QueryText.text(ofDuration: nanoseconds))")
        case .between(let from, let to): try container.encode("from \(Timestamp.text(from)) to \(Timestamp.text(to))")
        }
    }
}
