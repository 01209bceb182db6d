import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeWire

@testable import AstrolabeRecording

/// A recording core over a sink in memory, whose records are read back with the reader that the console uses.
final class Recorder: Sendable {
    let core: RecordingCore
    let tracer: Tracer
    let events: EventLogger
    let registry: MetricRegistry
    let meter: Meter
    let time: ManualTime
    private let sink: CollectingSink

    init(
        sampler: any Sampler = ParentBasedSampler(root: AlwaysOnSampler()), ids: IDGenerator = IDGenerator(),
        limits: RecordLimits = RecordLimits(), redaction: RedactionOptions = RedactionOptions(),
        ambient: Attributes = [:], temporality: AggregationTemporality = .delta,
        histograms: HistogramAggregation = .explicitBuckets,
        views: [MetricView] = [], exemplars: ExemplarFilter = .off, keepsErrors: Bool = true,
        processors: RecordProcessors? = nil, exceptionSignal: ExceptionSignal = .spanEvents,
        disabledSignals: Set<RecordKind> = [],
        onDiagnostic: @escaping @Sendable (String) -> Void = { _ in },
    ) {
        let sink = CollectingSink()
        let time = ManualTime()
        let core = RecordingCore(
            sink: sink, clock: TelemetryClock { time.now }, ids: ids, sampler: sampler, limits: limits,
            redactor: Redactor(redaction), ambient: AmbientAttributes(ambient), keepsErrors: keepsErrors,
            notices: RecordingNotices(onDiagnostic), processors: processors, exceptionSignal: exceptionSignal,
            disabledSignals: disabledSignals, )
        let scope = InstrumentationScope(name: "test", version: "1", schemaURL: "https://example.com/1")
        self.sink = sink
        self.time = time
        self.core = core
        tracer = Tracer(core: core, scope: scope)
        events = EventLogger(core: core, scope: scope)
        registry = MetricRegistry(
            core: core, temporality: temporality, histograms: histograms, views: views, exemplars: exemplars, )
        meter = Meter(registry: registry, scope: scope)
    }

    /// Finished spans in the order in which they ended.
    var spans: [SpanData] {
        get throws { try OTLPDecoder.traces(protobuf: sink.request(.span)).flatMap { $0.scopes.flatMap(\.records) } }
    }

    /// Finished spans under their scopes.
    var spanGroups: [ScopeGroup<SpanData>] {
        get throws { try OTLPDecoder.traces(protobuf: sink.request(.span)).flatMap(\.scopes) }
    }

    /// The only finished span.
    var span: SpanData {
        get throws { try spans.only }
    }

    var logRecords: [LogRecordData] {
        get throws { try OTLPDecoder.logs(protobuf: sink.request(.event)).flatMap { $0.scopes.flatMap(\.records) } }
    }

    /// The only log record.
    var logRecord: LogRecordData {
        get throws { try logRecords.only }
    }

    /// Collects, and returns what that made.
    func collectMetrics() throws -> [MetricData] {
        let before = sink.records.filter { $0.header.kind == .metric }.count
        registry.collect()
        return try Array(allMetrics.dropFirst(before))
    }

    var allMetrics: [MetricData] {
        get throws {
            try OTLPDecoder.metrics(protobuf: sink.request(.metric)).flatMap { $0.scopes.flatMap(\.records) }
        }
    }

    var rawRecords: [[UInt8]] { sink.records.map(\.bytes) }
    var headers: [RecordHeader] { sink.records.map(\.header) }
    var recordSizes: [Int] { sink.records.map(\.bytes.count) }
    var scopes: [InstrumentationScope] { sink.scopes }
}

/// Time that only moves when a test says so.
final class ManualTime: Sendable {
    private let value = Locked<UInt64>(1_000_000_000_000)

    var now: UInt64 { value.withLock { $0 } }

    func advance(by nanoseconds: UInt64) {
        value.withLock { $0 += nanoseconds }
    }

    func set(to nanoseconds: UInt64) {
        value.withLock { $0 = nanoseconds }
    }
}

final class CollectingSink: RecordSink {
    private struct State {
        var scopes: [InstrumentationScope] = []
        var records: [(header: RecordHeader, bytes: [UInt8])] = []
    }

    private let state = Locked(State())

    var scopes: [InstrumentationScope] { state.withLock { $0.scopes } }
    var records: [(header: RecordHeader, bytes: [UInt8])] { state.withLock { $0.records } }

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
