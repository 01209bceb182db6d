import Astrolabe
import AstrolabeBridges
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Instrumentation

/// The SDK of a server behind a bridge, recording into memory; records are read back with the console's reader.
final class BridgeRecorder: Sendable {
    let telemetry: Telemetry
    let bridge: TelemetryBridge
    private let sink = MemorySink()

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
        get throws { try sink.spans }
    }

    func span(_ name: String) throws -> SpanData {
        try spans.filter { $0.name == name }.only
    }

    /// Log lines; the SDK's own events are left out.
    var logLines: [(scope: String, version: String, record: LogRecordData)] {
        get throws {
            try sink.eventGroups.flatMap { group in
                group.records.filter(\.eventName.isEmpty).map { (group.scope.name, group.scope.version, $0) }
            }
        }
    }

    /// Collects, and returns what that made.
    func collectMetrics() throws -> [MetricData] {
        let before = sink.count(of: .metric)
        telemetry.collectMetrics()
        return try Array(sink.metrics.dropFirst(before))
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
