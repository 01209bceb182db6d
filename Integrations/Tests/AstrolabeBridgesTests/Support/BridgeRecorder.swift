import Astrolabe
import AstrolabeBridges
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeWire
import Instrumentation

/// The SDK of a server behind a bridge, recording into memory; records are read back with the console's reader.
final class BridgeRecorder: Sendable {
    let telemetry: Telemetry
    let bridge: TelemetryBridge
    private let sink = CollectingSink()

    /// - Parameter sampler: Default all.
    init(
        sampler: any Sampler = ParentBasedSampler(root: AlwaysOnSampler()),
        instruments: [String: TelemetryBridge.Instrument] = [:],
    ) {
        var configuration = TelemetryConfiguration(serviceName: "bridge-test")
        configuration.isServer = true
        configuration.sampler = sampler
        telemetry = Telemetry(configuration, sink: sink)
        bridge = TelemetryBridge(telemetry, instruments: instruments)
    }

    var tracer: BridgedTracer { bridge.tracer }

    /// Finished spans in the order in which they ended.
    var spans: [SpanData] {
        get throws { try OTLPDecoder.traces(protobuf: sink.request(.span)).flatMap { $0.scopes.flatMap(\.records) } }
    }

    func span(_ name: String) throws -> SpanData {
        try spans.filter { $0.name == name }.only
    }

    /// Log lines; the SDK's own events are left out.
    var logLines: [(scope: String, version: String, record: LogRecordData)] {
        get throws {
            try OTLPDecoder.logs(protobuf: sink.request(.event)).flatMap { $0.scopes }.flatMap { group in
                group.records.filter(\.eventName.isEmpty).map { (group.scope.name, group.scope.version, $0) }
            }
        }
    }

    /// Collects, and returns what that made.
    func collectMetrics() throws -> [MetricData] {
        let before = sink.count(of: .metric)
        telemetry.collectMetrics()
        let all = try OTLPDecoder.metrics(protobuf: sink.request(.metric)).flatMap { $0.scopes.flatMap(\.records) }
        return Array(all.dropFirst(before))
    }
}

private final class CollectingSink: RecordSink {
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
        let copy = Array(bytes)
        state.withLock { $0.records.append((header, copy)) }
    }

    func count(of kind: RecordKind) -> Int {
        state.withLock { $0.records.filter { $0.header.kind == kind }.count }
    }

    /// All records of a kind as one request, in the order in which they came.
    func request(_ kind: RecordKind) -> [UInt8] {
        let (scopes, records) = state.withLock { ($0.scopes, $0.records) }
        let parts = records.filter { $0.header.kind == kind }.map { record in
            var encoded = EncodedRecords()
            record.bytes.withUnsafeBytes { encoded.append($0) }
            return (scope: EncodedScope(scopes[Int(record.header.scope.rawValue)]), records: encoded)
        }
        return ExportRequest.build(resource: EncodedResource(Resource()), scopes: parts)
    }
}

/// HTTP headers as a plain dictionary with lower-case names.
struct HeaderCarrier: Injector, Extractor {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
        carrier[key.lowercased()] = value
    }

    func extract(key: String, from carrier: [String: String]) -> String? {
        carrier[key.lowercased()]
    }
}

struct ExpectedOne: Error, CustomStringConvertible {
    let count: Int
    var description: String { "expected exactly one element, found \(count)" }
}

extension Collection {
    /// The element of a collection of one; throws if it has none or more.
    var only: Element {
        get throws {
            guard let first, count == 1 else { throw ExpectedOne(count: count) }
            return first
        }
    }
}
