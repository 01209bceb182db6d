import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeWire

/// One side of the network: the SDK's recording in virtual time, and the encoded records of the current visit.
final class RecordingSide {
    let core: RecordingCore
    let ids: IDGenerator
    let clock = HistoryClock()
    private let sink = HistorySink()
    private var registry: MetricRegistry
    private let name: String
    private var version = ""

    /// - Parameter name: Of the program's own scope.
    init(_ name: String, firstSeed: UInt64, secondSeed: UInt64) {
        self.name = name
        ids = IDGenerator(firstSeed: firstSeed, secondSeed: secondSeed)
        core = RecordingCore(
            sink: sink, clock: TelemetryClock { [clock] in clock.now }, ids: ids)
        registry = MetricRegistry(core: core)
    }

    /// - Parameter version: Of the app's or the backend's own scope.
    func begin(version: String) {
        self.version = version
        registry = MetricRegistry(core: core)
        core.breadcrumbs.keep(atMost: 0)
        core.breadcrumbs.keep(atMost: 100)
        core.ambient.update { $0 = Attributes() }
    }

    /// - Parameter scope: The name of one of the SDK's scopes, or `nil` for the program's own.
    func tracer(_ scope: String? = nil) -> Tracer { Tracer(core: core, scope: named(scope)) }

    func logger(_ scope: String? = nil) -> EventLogger { EventLogger(core: core, scope: named(scope)) }

    func meter(_ scope: String? = nil) -> Meter { Meter(registry: registry, scope: named(scope)) }

    private func named(_ scope: String?) -> InstrumentationScope {
        InstrumentationScope(name: scope ?? name, version: scope == nil ? version : "0.1.0")
    }

    func collectMetrics() { registry.collect() }

    var recordCount: Int { sink.recordCount }

    /// Moves the records to the requests.
    func take(into encoded: inout EncodedHistory, resource: EncodedResource) {
        for (kind, scopes, count) in sink.take() {
            encoded.records += count
            let body = ExportRequest.build(resource: resource, scopes: scopes)
            switch kind {
            case .span: encoded.traces += body
            case .event: encoded.logs += body
            case .metric: encoded.metrics += body
            }
        }
    }
}

/// The time of the history, in nanoseconds since 1970.
final class HistoryClock: Sendable {
    private let time = Locked<UInt64>(0)

    var now: UInt64 {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}

/// Keeps encoded records by kind and scope until they are taken.
private final class HistorySink: RecordSink, Sendable {
    private struct State {
        var scopes: [InstrumentationScope] = []
        var headers: [EncodedScope] = []
        var records: [RecordKind: [Int: EncodedRecords]] = [:]
        var count = 0
    }

    private let state = Locked(State())

    func register(_ scope: InstrumentationScope) -> ScopeNumber {
        state.withLock { state in
            if let index = state.scopes.firstIndex(of: scope) { return ScopeNumber(rawValue: UInt16(index)) }
            state.scopes.append(scope)
            state.headers.append(EncodedScope(scope))
            return ScopeNumber(rawValue: UInt16(state.scopes.count - 1))
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        state.withLock { state in
            state.records[header.kind, default: [:]][Int(header.scope.rawValue), default: EncodedRecords()]
                .append(bytes)
            state.count += 1
        }
    }

    var recordCount: Int { state.withLock { $0.count } }

    func take() -> [(RecordKind, [(scope: EncodedScope, records: EncodedRecords)], Int)] {
        state.withLock { state in
            defer {
                state.records = [:]
                state.count = 0
            }
            return RecordKind.allCases.compactMap { kind in
                guard let byScope = state.records[kind] else { return nil }
                let scopes = byScope.sorted { $0.key < $1.key }
                return (
                    kind, scopes.map { (scope: state.headers[$0.key], records: $0.value) },
                    scopes.reduce(0) { $0 + $1.value.count },
                )
            }
        }
    }
}
