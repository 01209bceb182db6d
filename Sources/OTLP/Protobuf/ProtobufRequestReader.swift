import AstrolabeTelemetryModel
import AstrolabeWire

/// A record that can be read from OTLP and written to it in either encoding.
protocol OTLPRecord: Hashable, Sendable {
    /// The field of the request, of a resource group and of a scope group that leads to records of this kind.
    static var protobufNames: (resources: String, scopes: String, records: String) { get }
    static var jsonNames: (resources: String, scopes: String, records: String) { get }

    static func read(
        _ message: ProtobufReader, with reader: inout ProtobufRequestReader,
    ) throws(OTLPDecodingError) -> Self

    static func read(with reader: inout JSONRequestReader) throws(OTLPDecodingError) -> Self

    func write(to message: inout some OTLPMessage)
}

/// The reader's state over the messages of one protobuf request; this part reads the groups around the records.
struct ProtobufRequestReader {
    var keys: StringCache
    var values: StringCache
    var budget: MemoryBudget
    var traceStates = TraceStateCache()

    private init(inputLength: Int) {
        // A small request is not worth a large table.
        let isSmall = inputLength < 4096
        keys = StringCache(sizeExponent: isSmall ? 5 : 8)
        values = StringCache(sizeExponent: isSmall ? 5 : 9)
        budget = MemoryBudget(inputLength: inputLength)
    }

    static func groups<Record: OTLPRecord>(
        in bytes: UnsafeRawBufferPointer
    ) throws(OTLPDecodingError) -> [ResourceGroup<Record>] {
        guard let base = bytes.baseAddress else { return [] }
        var reader = ProtobufRequestReader(inputLength: bytes.count)
        return try reader.request(ProtobufReader(base, 0..<bytes.count))
    }

    private mutating func request<Record: OTLPRecord>(
        _ message: ProtobufReader
    ) throws(OTLPDecodingError) -> [ResourceGroup<Record>] {
        var message = message
        let start = message
        var groups: [ResourceGroup<Record>] = []
        while let field = try message.nextField() {
            do {
                switch field.number {
                case ExportRequestField.resourceGroups:
                    try reserve(&groups, for: field, in: message)
                    try budget.append(resourceGroup(message.payload(field)), to: &groups, at: field.offset)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(
                    field, of: [ExportRequestField.resourceGroups: Record.protobufNames.resources + "[]"], in: start)
            }
        }
        return groups
    }

    private mutating func resourceGroup<Record: OTLPRecord>(
        _ message: ProtobufReader
    ) throws(OTLPDecodingError) -> ResourceGroup<Record> {
        var message = message
        let start = message
        var attributes = AttributesBuilder()
        var droppedAttributesCount: UInt32 = 0
        var schemaURL = ""
        var scopes: [ScopeGroup<Record>] = []
        while let field = try message.nextField() {
            do {
                switch field.number {
                case ResourceGroupField.resource:
                    try resource(message.payload(field), into: &attributes, &droppedAttributesCount)
                case ResourceGroupField.scopeGroups:
                    try reserve(&scopes, for: field, in: message)
                    try budget.append(scopeGroup(message.payload(field)), to: &scopes, at: field.offset)
                case ResourceGroupField.schemaURL: schemaURL = try text(message.payload(field))
                default: try message.skip(field)
                }
            } catch {
                let names: SchemaFieldNames = [
                    ResourceGroupField.resource: "resource",
                    ResourceGroupField.scopeGroups: Record.protobufNames.scopes + "[]",
                    ResourceGroupField.schemaURL: "schema_url",
                ]
                throw error.within(field, of: names, in: start)
            }
        }
        return ResourceGroup(
            resource: Resource(
                attributes: attributes.finish(&budget), droppedAttributesCount: droppedAttributesCount,
            ),
            schemaURL: schemaURL, scopes: scopes,
        )
    }

    private mutating func resource(
        _ message: ProtobufReader, into attributes: inout AttributesBuilder, _ droppedAttributesCount: inout UInt32,
    ) throws(OTLPDecodingError) {
        var message = message
        let start = message
        while let field = try message.nextField() {
            do {
                switch field.number {
                case ResourceField.attributes: try attribute(&message, field, into: &attributes)
                case ResourceField.droppedAttributesCount: droppedAttributesCount = try message.uint32(field)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .resource, in: start)
            }
        }
    }

    private mutating func scopeGroup<Record: OTLPRecord>(
        _ message: ProtobufReader
    ) throws(OTLPDecodingError) -> ScopeGroup<Record> {
        var message = message
        let start = message
        var scope = ScopeBuilder()
        var schemaURL = ""
        var records: [Record] = []
        while let field = try message.nextField() {
            do {
                switch field.number {
                case ScopeGroupField.scope: try readScope(message.payload(field), into: &scope)
                case ScopeGroupField.records:
                    try reserve(&records, for: field, in: message)
                    let record = try Record.read(message.payload(field), with: &self)
                    try budget.append(record, to: &records, at: field.offset)
                case ScopeGroupField.schemaURL: schemaURL = try text(message.payload(field))
                default: try message.skip(field)
                }
            } catch {
                let names: SchemaFieldNames = [
                    ScopeGroupField.scope: "scope", ScopeGroupField.records: Record.protobufNames.records + "[]",
                    ScopeGroupField.schemaURL: "schema_url",
                ]
                throw error.within(field, of: names, in: start)
            }
        }
        return ScopeGroup(scope: scope.finish(&budget), schemaURL: schemaURL, records: records)
    }

    private mutating func readScope(
        _ message: ProtobufReader, into scope: inout ScopeBuilder,
    ) throws(OTLPDecodingError) {
        var message = message
        let start = message
        while let field = try message.nextField() {
            do {
                switch field.number {
                case ScopeField.name: scope.name = try text(message.payload(field))
                case ScopeField.version: scope.version = try text(message.payload(field))
                case ScopeField.attributes: try attribute(&message, field, into: &scope.attributes)
                case ScopeField.droppedAttributesCount: scope.droppedAttributesCount = try message.uint32(field)
                default: try message.skip(field)
                }
            } catch {
                throw error.within(field, of: .scope, in: start)
            }
        }
    }

    /// Makes room, once, for all elements of a repeated field, whose first value comes next.
    @inline(__always)
    mutating func reserve<Element>(
        _ array: inout [Element], for field: ProtobufReader.Field, in message: ProtobufReader,
    ) throws(OTLPDecodingError) {
        if array.capacity == 0 { try budget.grow(&array, by: message.run(of: field), at: field.offset) }
    }

    /// Text that is likely to come again.
    @inline(__always)
    mutating func text(_ payload: ProtobufReader) throws(OTLPDecodingError) -> String {
        try values.entry(for: payload.bytes, at: payload.position, &budget).text
    }
}

/// A scope while it is read, since the parts of a message given twice are to be merged.
struct ScopeBuilder {
    var name = ""
    var version = ""
    var attributes = AttributesBuilder()
    var droppedAttributesCount: UInt32 = 0

    consuming func finish(_ budget: inout MemoryBudget) -> InstrumentationScope {
        InstrumentationScope(
            name: name, version: version, attributes: attributes.finish(&budget),
            droppedAttributesCount: droppedAttributesCount,
        )
    }
}
