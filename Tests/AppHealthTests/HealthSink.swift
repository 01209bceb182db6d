import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeWire

@testable import AstrolabeAppHealth

/// Keeps log records, spans, metrics with their points, and the scopes that were registered.
final class HealthSink: RecordSink {
    private let records = Locked([RecordKind: EncodedRecords]())
    private let registered = Locked([InstrumentationScope]())

    var scopes: [InstrumentationScope] { registered.withLock { $0 } }

    var events: [LogRecordData] {
        let groups = try? OTLPDecoder.logs(protobuf: request(.event))
        return groups?.flatMap { $0.scopes.flatMap(\.records) } ?? []
    }

    var spans: [SpanData] {
        let groups = try? OTLPDecoder.traces(protobuf: request(.span))
        return groups?.flatMap { $0.scopes.flatMap(\.records) } ?? []
    }

    var metrics: [MetricData] {
        let groups = try? OTLPDecoder.metrics(protobuf: request(.metric))
        return groups?.flatMap { $0.scopes.flatMap(\.records) } ?? []
    }

    private func request(_ kind: RecordKind) -> [UInt8] {
        let kept = records.withLock { $0[kind] ?? EncodedRecords() }
        return ExportRequest.build(
            resource: EncodedResource(Resource()),
            scopes: [(scope: EncodedScope(HealthRecorder.scope), records: kept)])
    }

    func register(_ scope: InstrumentationScope) -> ScopeNumber {
        registered.withLock { $0.append(scope) }
        return ScopeNumber(rawValue: 1)
    }

    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        records.withLock { $0[header.kind, default: EncodedRecords()].append(bytes) }
    }
}
