import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport

@testable import AstrolabeRecording

/// A recording core over a sink in memory, whose records are read back with the reader that the console uses.
final class Recorder: Sendable {
    let core: RecordingCore
    let tracer: Tracer
    let events: EventLogger
    let registry: MetricRegistry
    let meter: Meter
    let time: ManualTime
    private let sink: MemorySink

    init(
        sampler: any Sampler = ParentBasedSampler(root: AlwaysOnSampler()), ids: IDGenerator = IDGenerator(),
        limits: RecordLimits = RecordLimits(), redaction: RedactionOptions = RedactionOptions(),
        ambient: Attributes = [:], temporality: AggregationTemporality = .delta,
        histograms: HistogramAggregation = .explicitBuckets,
        views: [MetricView] = [], exemplars: ExemplarFilter = .off,
        processors: RecordProcessors? = nil, exceptionSignal: ExceptionSignal = .spanEvents,
        disabledSignals: Set<RecordKind> = [], triggers: RecorderTriggers? = nil,
        recorderKey: RecorderKey = .session,
        onDiagnostic: @escaping @Sendable (String) -> Void = { _ in },
    ) {
        let sink = MemorySink()
        let time = ManualTime()
        let core = RecordingCore(
            sink: sink, clock: TelemetryClock { time.now }, ids: ids, sampler: sampler, limits: limits,
            redactor: Redactor(redaction), ambient: AmbientAttributes(ambient),
            notices: RecordingNotices(onDiagnostic), processors: processors, exceptionSignal: exceptionSignal,
            disabledSignals: disabledSignals, recorder: triggers, recorderKey: recorderKey)
        let scope = InstrumentationScope(name: "test", version: "1", schemaURL: "https://example.com/1")
        self.sink = sink
        self.time = time
        self.core = core
        tracer = Tracer(core: core, scope: scope)
        events = EventLogger(core: core, scope: scope)
        registry = MetricRegistry(
            core: core, temporality: temporality, histograms: histograms, views: views, exemplars: exemplars)
        meter = Meter(registry: registry, scope: scope)
    }

    /// Finished spans in the order in which they ended.
    var spans: [SpanData] {
        get throws { try sink.spans }
    }

    /// Finished spans under their scopes.
    var spanGroups: [ScopeGroup<SpanData>] {
        get throws { try sink.spanGroups }
    }

    /// The only finished span.
    var span: SpanData {
        get throws { try spans.only }
    }

    var logRecords: [LogRecordData] {
        get throws { try sink.events }
    }

    /// The only log record.
    var logRecord: LogRecordData {
        get throws { try logRecords.only }
    }

    /// Collects, and returns what that made.
    func collectMetrics() throws -> [MetricData] {
        let before = sink.count(of: .metric)
        registry.collect()
        return try Array(allMetrics.dropFirst(before))
    }

    var allMetrics: [MetricData] {
        get throws { try sink.metrics }
    }

    var rawRecords: [[UInt8]] { sink.bytes }
    var headers: [RecordHeader] { sink.headers }
    var recordSizes: [Int] { sink.bytes.map(\.count) }
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
