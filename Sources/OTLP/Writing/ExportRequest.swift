public import TelemetryModel

/// The encoded head of a group: what a batch repeats once, whatever the number of its records.
public struct EncodedResource: Hashable, Sendable {
    /// Fields of `ResourceSpans`, `ResourceLogs` or `ResourceMetrics` (they agree): `resource` 1, `schema_url` 3.
    let fields: [UInt8]

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

/// One OTLP request, assembled by copying records that are already encoded.
///
///     ExportTraceServiceRequest
///     └─ resource_spans 1 ─┬─ resource 1            copied from EncodedResource
///                          └─ scope_spans 2 ─┬─ scope 1   copied from EncodedScope
///                                            └─ spans 2   tag, length, the record's own bytes
///
/// Requests for logs and metrics have the same shape and the same field numbers, so one builder serves all three.
public enum ExportRequest {
    /// Records of one scope: their bytes one after the other, with the length of each.
    public struct ScopeBatch {
        public var scope: EncodedScope
        public var bytes: UnsafeRawBufferPointer
        public var lengths: [Int]

        public init(scope: EncodedScope, bytes: UnsafeRawBufferPointer, lengths: [Int]) {
            self.scope = scope
            self.bytes = bytes
            self.lengths = lengths
        }
    }

    /// The bytes of a request that holds `batches` under one resource.
    public static func build(resource: EncodedResource, batches: [ScopeBatch]) -> [UInt8] {
        let scopeSizes = batches.map { batch in
            batch.scope.fields.count + batch.lengths.reduce(0) { $0 + 1 + WireSize.delimited($1) }
        }
        let groupSize = resource.fields.count + scopeSizes.reduce(0) { $0 + 1 + WireSize.delimited($1) }
        let size = 1 + WireSize.delimited(groupSize)
        return [UInt8](unsafeUninitializedCapacity: size) { memory, count in
            guard let base = memory.baseAddress else { return }
            var writer = WireWriter(UnsafeMutableRawPointer(base))
            writer.header(0x0A, size: groupSize)
            resource.fields.withUnsafeBytes { writer.bytes($0) }
            for (batch, size) in zip(batches, scopeSizes) {
                writer.header(0x12, size: size)
                batch.scope.fields.withUnsafeBytes { writer.bytes($0) }
                var offset = 0
                for length in batch.lengths {
                    writer.header(0x12, size: length)
                    writer.bytes(UnsafeRawBufferPointer(rebasing: batch.bytes[offset..<offset + length]))
                    offset += length
                }
            }
            count = size
        }
    }
}
