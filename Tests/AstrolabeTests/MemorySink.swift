import Astrolabe
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Foundation

/// Keeps every record, and decodes them with the reader that the console uses.
final class MemorySink: RecordSink {
    private struct State {
        var scopes: [InstrumentationScope] = []
        var records: [(header: RecordHeader, bytes: [UInt8])] = []
    }

    private let state = Locked(State())

    func register(_ scope: InstrumentationScope) -> ScopeNumber {
        state.withLock { state in
            if let index = state.scopes.firstIndex(of: scope) { return ScopeNumber(rawValue: UInt16(index)) }
            state.scopes.append(scope)
            return ScopeNumber(rawValue: UInt16(state.scopes.count - 1))
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        state.withLock { $0.records.append((header, Array(bytes))) }
    }

    var spans: [SpanData] {
        get throws { try OTLPDecoder.traces(protobuf: request(.span)).flatMap { $0.scopes.flatMap(\.records) } }
    }

    var events: [LogRecordData] {
        get throws { try OTLPDecoder.logs(protobuf: request(.event)).flatMap { $0.scopes.flatMap(\.records) } }
    }

    var metrics: [MetricData] {
        get throws { try OTLPDecoder.metrics(protobuf: request(.metric)).flatMap { $0.scopes.flatMap(\.records) } }
    }

    /// All records of a kind as one request, in the order in which they came.
    private func request(_ kind: RecordKind) -> [UInt8] {
        let (scopes, records) = state.withLock { ($0.scopes, $0.records) }
        let parts = records.filter { $0.header.kind == kind }.map { record in
            var encoded = EncodedRecords()
            record.bytes.withUnsafeBytes { encoded.append($0) }
            return (scope: EncodedScope(scopes[Int(record.header.scope.rawValue)]), records: encoded)
        }
        return ExportRequest.build(resource: EncodedResource(Resource()), scopes: parts)
    }
}

/// A folder that no other test uses.
func temporaryFolder() -> URL { TestFolders.folder("telemetry") }

/// The SDK recording into memory, with storage of its own.
func telemetry(
    into sink: MemorySink, folder: URL = temporaryFolder(), _ change: (inout TelemetryConfiguration) -> Void = { _ in },
) -> Telemetry {
    var configuration = TelemetryConfiguration(serviceName: "test")
    configuration.storageDirectory = folder
    change(&configuration)
    return Telemetry(configuration, sink: sink)
}
