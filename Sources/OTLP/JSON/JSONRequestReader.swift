import AstrolabeTelemetryModel

/// The reader's state over the objects of one JSON request; this part reads the groups around the records.
///
/// Follows protobuf's JSON mapping with OTLP's changes to it: ids in hexadecimal, enumerations as numbers. What the
/// mapping asks of parsers is accepted as well: names in `snake_case`, names of enumeration values, 64-bit integers as
/// numbers, `null` for a field that is not set. A name given twice counts once, with its last value.
struct JSONRequestReader {
    var scanner: JSONScanner
    var keys: StringCache
    var values: StringCache
    var budget: MemoryBudget
    var traceStates = TraceStateCache()

    private init(_ base: UnsafeRawPointer, count: Int) {
        let isSmall = count < 4096
        scanner = JSONScanner(base, 0..<count)
        keys = StringCache(sizeExponent: isSmall ? 6 : 8)
        values = StringCache(sizeExponent: isSmall ? 5 : 9)
        budget = MemoryBudget(inputLength: count)
    }

    static func groups<Record: OTLPRecord>(
        in bytes: UnsafeRawBufferPointer
    ) throws(OTLPDecodingError) -> [ResourceGroup<Record>] {
        guard let base = bytes.baseAddress else {
            throw OTLPDecodingError(at: 0, "expected an object, got the end")
        }
        var reader = JSONRequestReader(base, count: bytes.count)
        let groups: [ResourceGroup<Record>] = try reader.request()
        try reader.scanner.expectEnd()
        return groups
    }

    private mutating func request<Record: OTLPRecord>() throws(OTLPDecodingError) -> [ResourceGroup<Record>] {
        let names = Record.jsonNames
        var groups: [ResourceGroup<Record>] = []
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case names.resources:
                    try elements(into: &groups) { (reader) throws(OTLPDecodingError) in try reader.resourceGroup() }
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return groups
    }

    private mutating func resourceGroup<Record: OTLPRecord>() throws(OTLPDecodingError) -> ResourceGroup<Record> {
        let names = Record.jsonNames
        var resource = Resource()
        var schemaURL = ""
        var scopes: [ScopeGroup<Record>] = []
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "resource": resource = try readResource()
                case names.scopes:
                    try elements(into: &scopes) { (reader) throws(OTLPDecodingError) in try reader.scopeGroup() }
                case "schemaUrl": schemaURL = try text()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return ResourceGroup(resource: resource, schemaURL: schemaURL, scopes: scopes)
    }

    private mutating func readResource() throws(OTLPDecodingError) -> Resource {
        var resource = Resource()
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "attributes": resource.attributes = try attributes().finish(&budget)
                case "droppedAttributesCount": resource.droppedAttributesCount = try uint32()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return resource
    }

    private mutating func scopeGroup<Record: OTLPRecord>() throws(OTLPDecodingError) -> ScopeGroup<Record> {
        let names = Record.jsonNames
        var scope = InstrumentationScope(name: "")
        var schemaURL = ""
        var records: [Record] = []
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "scope": scope = try readScope()
                case names.records:
                    try elements(into: &records) { (reader) throws(OTLPDecodingError) in
                        try Record.read(with: &reader)
                    }
                case "schemaUrl": schemaURL = try text()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return ScopeGroup(scope: scope, schemaURL: schemaURL, records: records)
    }

    private mutating func readScope() throws(OTLPDecodingError) -> InstrumentationScope {
        var scope = InstrumentationScope(name: "")
        var object = try scanner.openObject()
        while let name = try nextField(&object) {
            do {
                switch name {
                case "name": scope.name = try text()
                case "version": scope.version = try text()
                case "attributes": scope.attributes = try attributes().finish(&budget)
                case "droppedAttributesCount": scope.droppedAttributesCount = try uint32()
                default: try scanner.skipValue()
                }
            } catch {
                throw error.within(member: name)
            }
        }
        return scope
    }
}
