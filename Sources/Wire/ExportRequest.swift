package import AstrolabeTelemetryModel

/// The encoded head of a group: what a batch repeats once, whatever the number of its records.
package struct EncodedResource: Equatable, Sendable {
    /// Fields of `ResourceSpans`, `ResourceLogs` or `ResourceMetrics`: ``ResourceGroupField``.
    package let fields: [UInt8]

    package init(_ resource: Resource, schemaURL: String = "") {
        let attributesSize = resource.attributes.wireSize
        var fields: [UInt8] = []
        fields.appendWire(WireSize.field(size: attributesSize)) { writer in
            writer.header(ResourceGroupField.resource, size: attributesSize)
            resource.attributes.write(as: ResourceField.attributes, to: &writer)
        }
        if !schemaURL.isEmpty {
            fields.appendWire(WireSize.field(schemaURL)) { $0.field(ResourceGroupField.schemaURL, schemaURL) }
        }
        self.fields = fields
    }

    /// Takes the bytes that another run encoded.
    package init(fields: [UInt8]) {
        self.fields = fields
    }
}

/// The encoded head of a scope within a group: ``ScopeGroupField/scope`` and ``ScopeGroupField/schemaURL``.
package struct EncodedScope: Equatable, Sendable {
    package let fields: [UInt8]

    package init(_ scope: InstrumentationScope) {
        let nameSize = scope.name.isEmpty ? 0 : WireSize.field(scope.name)
        let versionSize = scope.version.isEmpty ? 0 : WireSize.field(scope.version)
        let size = nameSize + versionSize + scope.attributes.wireSize
        var fields: [UInt8] = []
        fields.appendWire(WireSize.field(size: size)) { writer in
            writer.header(ScopeGroupField.scope, size: size)
            if !scope.name.isEmpty { writer.field(ScopeField.name, scope.name) }
            if !scope.version.isEmpty { writer.field(ScopeField.version, scope.version) }
            scope.attributes.write(as: ScopeField.attributes, to: &writer)
        }
        if !scope.schemaURL.isEmpty {
            fields.appendWire(WireSize.field(scope.schemaURL)) {
                $0.field(ScopeGroupField.schemaURL, scope.schemaURL)
            }
        }
        self.fields = fields
    }

    /// Takes the bytes that another run encoded.
    package init(fields: [UInt8]) {
        self.fields = fields
    }
}

/// Encoded records of one scope, framed as the repeated field of their scope's message.
package struct EncodedRecords: Equatable, Sendable {
    /// Tag, length and bytes of each: ``ScopeGroupField/records``.
    private(set) var fields: [UInt8] = []
    package private(set) var count = 0

    package init() {}

    /// Adds a copy of one record: a whole `Span`, `LogRecord` or `Metric` message.
    package mutating func append(_ record: UnsafeRawBufferPointer) {
        fields.appendWire(WireSize.header(record.count)) {
            $0.header(ScopeGroupField.records, size: record.count)
        }
        fields.append(contentsOf: record)
        count += 1
    }
}

/// One OTLP request, assembled by copying records that are already encoded.
///
///     ExportTraceServiceRequest
///     └─ resource_spans 1 ─┬─ resource 1                  copied from EncodedResource
///                          └─ scope_spans 2 ─┬─ scope 1   copied from EncodedScope, with schema_url 3
///                                            └─ spans 2   copied from EncodedRecords
///
/// Requests for logs and metrics have the same shape and the same field numbers, so one builder serves all three.
package enum ExportRequest {
    /// The bytes of a request that holds records of several scopes under one resource.
    package static func build(
        resource: EncodedResource, scopes: [(scope: EncodedScope, records: EncodedRecords)],
    ) -> [UInt8] {
        let scopeSizes = scopes.map { $0.scope.fields.count + $0.records.fields.count }
        let groupSize = resource.fields.count + scopeSizes.reduce(0) { $0 + WireSize.field(size: $1) }
        let size = WireSize.field(size: groupSize)
        return [UInt8](unsafeUninitializedCapacity: size) { memory, count in
            guard let base = memory.baseAddress else { return }
            var writer = WireWriter(UnsafeMutableRawPointer(base))
            writer.header(ExportRequestField.resourceGroups, size: groupSize)
            resource.fields.withUnsafeBytes { writer.bytes($0) }
            for (scope, size) in zip(scopes, scopeSizes) {
                writer.header(ResourceGroupField.scopeGroups, size: size)
                scope.scope.fields.withUnsafeBytes { writer.bytes($0) }
                scope.records.fields.withUnsafeBytes { writer.bytes($0) }
            }
            count = size
        }
    }
}
