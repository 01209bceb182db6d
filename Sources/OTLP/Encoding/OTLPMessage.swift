import AstrolabeTelemetryModel
import AstrolabeWire

/// A message of OTLP while it is written field by field, in one of the encodings.
///
/// Each field has a number, for protobuf, and a name, for JSON. A field with its default value is left out, except for
/// the optional ones and those of which a message has one of several.
protocol OTLPMessage {
    mutating func text(_ number: UInt32, _ name: String, _ value: String)
    mutating func id(_ number: UInt32, _ name: String, _ value: TraceID)
    mutating func id(_ number: UInt32, _ name: String, _ value: SpanID)
    mutating func bool(_ number: UInt32, _ name: String, _ value: Bool)
    mutating func uint32(_ number: UInt32, _ name: String, _ value: UInt32)
    /// An `int32`, or the number of an enumeration's value.
    mutating func int32(_ number: UInt32, _ name: String, _ value: Int32)
    mutating func sint32(_ number: UInt32, _ name: String, _ value: Int32)
    mutating func fixed32(_ number: UInt32, _ name: String, _ value: UInt32)
    mutating func fixed64(_ number: UInt32, _ name: String, _ value: UInt64)
    /// An `sfixed64` that is written if it is not `nil`.
    mutating func optional(_ number: UInt32, _ name: String, _ value: Int64?)
    /// A `double` that is written if it is not `nil`.
    mutating func optional(_ number: UInt32, _ name: String, _ value: Double?)
    mutating func varints(_ number: UInt32, _ name: String, _ values: [UInt64])
    mutating func fixed64s(_ number: UInt32, _ name: String, _ values: [UInt64])
    mutating func doubles(_ number: UInt32, _ name: String, _ values: [Double])
    mutating func attributes(_ number: UInt32, _ name: String, _ attributes: Attributes)
    mutating func value(_ number: UInt32, _ name: String, _ value: AttributeValue)
    /// A message that is written also if it has no fields.
    mutating func message(_ number: UInt32, _ name: String, _ write: (inout Self) -> Void)
    mutating func messages<Element>(
        _ number: UInt32, _ name: String, _ elements: [Element], _ write: (inout Self, Element) -> Void)
}

extension OTLPMessage {
    mutating func double(_ number: UInt32, _ name: String, _ value: Double) {
        optional(number, name, value.bitPattern == 0 ? nil : value)
    }

    /// Writes the fields of a request.
    mutating func request<Record: OTLPRecord>(_ groups: [ResourceGroup<Record>]) {
        let names = Record.jsonNames
        messages(ExportRequestField.resourceGroups, names.resources, groups) { message, group in
            message.message(ResourceGroupField.resource, "resource") { $0.write(group.resource) }
            message.messages(ResourceGroupField.scopeGroups, names.scopes, group.scopes) { message, scope in
                message.message(ScopeGroupField.scope, "scope") { $0.write(scope.scope) }
                message.messages(ScopeGroupField.records, names.records, scope.records) { $1.write(to: &$0) }
                message.text(ScopeGroupField.schemaURL, "schemaUrl", scope.schemaURL)
            }
            message.text(ResourceGroupField.schemaURL, "schemaUrl", group.schemaURL)
        }
    }

    private mutating func write(_ resource: Resource) {
        attributes(ResourceField.attributes, "attributes", resource.attributes)
        uint32(ResourceField.droppedAttributesCount, "droppedAttributesCount", resource.droppedAttributesCount)
    }

    private mutating func write(_ scope: InstrumentationScope) {
        text(ScopeField.name, "name", scope.name)
        text(ScopeField.version, "version", scope.version)
        attributes(ScopeField.attributes, "attributes", scope.attributes)
        uint32(ScopeField.droppedAttributesCount, "droppedAttributesCount", scope.droppedAttributesCount)
    }
}
