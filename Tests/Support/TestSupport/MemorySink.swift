import AstrolabeOTLP
import AstrolabePlatform
package import AstrolabeTelemetryModel
import AstrolabeWire

/// Keeps every record as its bytes, and decodes them with the reader that the console uses.
package final class MemorySink: RecordSink {
    private struct State {
        var scopes: [InstrumentationScope] = []
        var records: [(header: RecordHeader, bytes: [UInt8])] = []
    }

    private let state = Locked(State())

    package init() {}

    package func register(_ scope: InstrumentationScope) -> ScopeNumber {
        state.withLock { state in
            if let index = state.scopes.firstIndex(of: scope) { return ScopeNumber(rawValue: UInt16(index)) }
            state.scopes.append(scope)
            return ScopeNumber(rawValue: UInt16(state.scopes.count - 1))
        }
    }

    package func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        let copy = Array(bytes)
        state.withLock { $0.records.append((header, copy)) }
    }

    package func removeAll() { state.withLock { $0.records.removeAll() } }

    package var scopes: [InstrumentationScope] { state.withLock { $0.scopes } }
    /// Every record as it was given, whatever its kind, in the order in which they came.
    package var bytes: [[UInt8]] { state.withLock { $0.records.map(\.bytes) } }
    package var headers: [RecordHeader] { state.withLock { $0.records.map(\.header) } }

    package func count(of kind: RecordKind) -> Int { headers.count { $0.kind == kind } }

    /// The spans in the order in which they ended, by their scopes.
    package var spanGroups: [ScopeGroup<SpanData>] {
        get throws { try OTLPDecoder.traces(protobuf: request(.span)).flatMap(\.scopes) }
    }

    /// In the order in which they ended.
    package var spans: [SpanData] {
        get throws { try spanGroups.flatMap(\.records) }
    }

    package var eventGroups: [ScopeGroup<LogRecordData>] {
        get throws { try OTLPDecoder.logs(protobuf: request(.event)).flatMap(\.scopes) }
    }

    package var events: [LogRecordData] {
        get throws { try eventGroups.flatMap(\.records) }
    }

    package var metrics: [MetricData] {
        get throws { try OTLPDecoder.metrics(protobuf: request(.metric)).flatMap { $0.scopes.flatMap(\.records) } }
    }

    /// All records of a kind as one request, in the order in which they came.
    package func request(_ kind: RecordKind) -> [UInt8] {
        let (scopes, records) = state.withLock { ($0.scopes, $0.records) }
        let parts = records.filter { $0.header.kind == kind }.map { record in
            var encoded = EncodedRecords()
            record.bytes.withUnsafeBytes { encoded.append($0) }
            return (scope: EncodedScope(scopes[Int(record.header.scope.rawValue)]), records: encoded)
        }
        return ExportRequest.build(resource: EncodedResource(Resource()), scopes: parts)
    }
}
