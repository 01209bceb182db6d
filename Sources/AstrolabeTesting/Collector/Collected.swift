public import AstrolabeTelemetryModel

/// A record as it was received, with the resource and the scope that it came under.
///
/// The record's own properties are properties of this, too: `span.name`, `event.attributes["session.id"]`.
@dynamicMemberLookup
public struct Collected<Record: Hashable & Sendable>: Hashable, Sendable {
    public let record: Record
    /// The resource that made it: the app on its device.
    public let resource: Resource
    /// The part of the app, or the library, that made it, with the schema URL of its group.
    public let scope: InstrumentationScope

    public subscript<Value>(dynamicMember path: KeyPath<Record, Value>) -> Value { record[keyPath: path] }

    static func all(in groups: [ResourceGroup<Record>]) -> [Collected] {
        groups.flatMap { group in
            group.scopes.flatMap { records in
                var scope = records.scope
                scope.schemaURL = records.schemaURL
                return records.records.map { Collected(record: $0, resource: group.resource, scope: scope) }
            }
        }
    }
}

extension Collected: CustomStringConvertible {
    /// One line: what it is called, and its attributes.
    public var description: String {
        switch record {
        case let span as SpanData: "\(span.name)\(Self.status(of: span)) \(Self.text(span.attributes))"
        case let event as LogRecordData:
            "\(event.eventName.isEmpty ? event.body.description : event.eventName) \(Self.text(event.attributes))"
        case let metric as MetricData: "\(metric.name) \(metric.data)"
        default: "\(record)"
        }
    }

    private static func status(of span: SpanData) -> String {
        if case .error(let reason) = span.status { " (error: \(reason))" } else { "" }
    }

    private static func text(_ attributes: Attributes) -> String {
        "[" + attributes.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", ") + "]"
    }
}
