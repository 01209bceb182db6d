import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeWire

/// Keeps the encoded spans.
final class SpanSink: RecordSink {
    private let records = Locked<EncodedRecords>(EncodedRecords())

    func register(_ scope: InstrumentationScope) -> ScopeNumber { ScopeNumber(rawValue: 0) }
    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) { records.withLock { $0.append(bytes) } }

    var spans: [SpanData] {
        get throws {
            let scope = EncodedScope(InstrumentationScope(name: "test"))
            let request = records.withLock { records in
                ExportRequest.build(resource: EncodedResource(Resource()), scopes: [(scope, records)])
            }
            return try OTLPDecoder.traces(protobuf: request).flatMap { $0.scopes.flatMap(\.records) }
        }
    }
}
