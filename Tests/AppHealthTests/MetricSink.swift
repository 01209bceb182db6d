import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeWire

@testable import AstrolabeAppHealth

/// Keeps metrics with their points.
final class MetricSink: RecordSink {
    private let records = Locked(EncodedRecords())

    var metrics: [MetricData] {
        let request = ExportRequest.build(
            resource: EncodedResource(Resource()),
            scopes: [(scope: EncodedScope(HealthRecorder.scope), records: records.withLock { $0 })], )
        let groups = try? OTLPDecoder.metrics(protobuf: request)
        return groups?.flatMap { $0.scopes.flatMap(\.records) } ?? []
    }

    func register(_ scope: InstrumentationScope) -> ScopeNumber { ScopeNumber(rawValue: 1) }

    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        guard header.kind == .metric else { return }
        records.withLock { $0.append(bytes) }
    }
}
