public import AstrolabeTelemetryModel

/// The encoded head of a group: what a batch repeats once, whatever the number of its records.
public struct EncodedResource: Hashable, Sendable {
    /// Fields of `ResourceSpans`, `ResourceLogs` or `ResourceMetrics` (they agree): `resource` 1, `schema_url` 3.
    package let fields: [UInt8]

    public init(_ resource: Resource, schemaURL: String = "") {
        let attributesSize = resource.attributes.wireSize
        var fields: [UInt8] = []
        fields.appendWire(1 + WireSize.delimited(attributesSize)) { writer in
            writer.header(0x0A, size: attributesSize)
            resource.attributes.write(tag: 0x0A, to: &writer)
        }
        if !schemaURL.isEmpty {
            fields.appendWire(WireSize.field(schemaURL)) { $0.field(0x1A, schemaURL) }
        }
        self.fields = fields
    }

    /// Takes the bytes that another run encoded.
    package init(fields: [UInt8]) {
        self.fields = fields
    }
}

/// The encoded head of a scope within a group: `scope` 1.
public struct EncodedScope: Hashable, Sendable {
    package let fields: [UInt8]

    public init(_ scope: InstrumentationScope) {
        let nameSize = scope.name.isEmpty ? 0 : WireSize.field(scope.name)
        let versionSize = scope.version.isEmpty ? 0 : WireSize.field(scope.version)
        let size = nameSize + versionSize + scope.attributes.wireSize
        var fields: [UInt8] = []
        fields.appendWire(1 + WireSize.delimited(size)) { writer in
            writer.header(0x0A, size: size)
            if !scope.name.isEmpty { writer.field(0x0A, scope.name) }
            if !scope.version.isEmpty { writer.field(0x12, scope.version) }
            scope.attributes.write(tag: 0x1A, to: &writer)
        }
        self.fields = fields
    }

    /// Takes the bytes that another run encoded.
    package init(fields: [UInt8]) {
        self.fields = fields
    }
}

/// Encoded records of one scope, framed as the repeated field of their scope's message.
public struct EncodedRecords: Hashable, Sendable {
    /// `spans`, `log_records` or `metrics`, field 2 of its scope message: tag, length and bytes of each.
    private(set) var fields: [UInt8] = []
    public private(set) var count = 0

    public init() {}

    /// Adds a copy of one record: a whole `Span`, `LogRecord` or `Metric` message.
    public mutating func append(_ record: UnsafeRawBufferPointer) {
        fields.append(0x12)
        var rest = record.count
        while rest >= 0x80 {
            fields.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        fields.append(UInt8(truncatingIfNeeded: rest))
        fields.append(contentsOf: record)
        count += 1
    }
}

/// One OTLP request, assembled by copying records that are already encoded.
///
///     ExportTraceServiceRequest
///     └─ resource_spans 1 ─┬─ resource 1                  copied from EncodedResource
///                          └─ scope_spans 2 ─┬─ scope 1   copied from EncodedScope
///                                            └─ spans 2   copied from EncodedRecords
///
/// Requests for logs and metrics have the same shape and the same field numbers, so one builder serves all three.
public enum ExportRequest {
    /// The bytes of a request that holds records of several scopes under one resource.
    public static func build(
        resource: EncodedResource, scopes: [(scope: EncodedScope, records: EncodedRecords)],
    ) -> [UInt8] {
        let scopeSizes = scopes.map { $0.scope.fields.count + $0.records.fields.count }
        let groupSize = resource.fields.count + scopeSizes.reduce(0) { $0 + 1 + WireSize.delimited($1) }
        let size = 1 + WireSize.delimited(groupSize)
        return [UInt8](unsafeUninitializedCapacity: size) { memory, count in
            guard let base = memory.baseAddress else { return }
            var writer = WireWriter(UnsafeMutableRawPointer(base))
            writer.header(0x0A, size: groupSize)
            resource.fields.withUnsafeBytes { writer.bytes($0) }
            for (scope, size) in zip(scopes, scopeSizes) {
                writer.header(0x12, size: size)
                scope.scope.fields.withUnsafeBytes { writer.bytes($0) }
                scope.records.fields.withUnsafeBytes { writer.bytes($0) }
            }
            count = size
        }
    }
}
