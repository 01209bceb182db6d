import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport

@testable import AstrolabeViewTracing

/// A view tracer with a sink in memory and a time that the test controls.
final class ViewRecorder {
    let tracer: ViewTracer
    let activities = Locked(0)
    private let ambient: AmbientAttributes
    private let sink: MemorySink
    private let time: Locked<UInt64>
    private let sleepers: Sleepers
    /// Views live as long as the recorder, unless a test releases them.
    private var kept: [TestView] = []

    static let start: UInt64 = 1_700_000_000_000_000_000

    init(_ mode: ViewTracingMode, sampler: any Sampler = AlwaysOnSampler()) {
        let sink = MemorySink()
        let time = Locked(Self.start)
        let sleepers = Sleepers()
        let core = RecordingCore(
            sink: sink, clock: TelemetryClock { time.withLock { $0 } }, sampler: ParentBasedSampler(root: sampler),
        )
        let (ambient, activities) = (core.ambient, activities)
        let scope = InstrumentationScope(name: "views")
        self.sink = sink
        self.time = time
        self.sleepers = sleepers
        self.ambient = ambient
        tracer = ViewTracer(
            mode: mode, tracer: Tracer(core: core, scope: scope), events: EventLogger(core: core, scope: scope),
            hooks: ViewTracer.Hooks(
                now: { time.withLock { $0 } },
                setScreen: { name, id in
                    ambient.update {
                        $0["app.screen.name"] = name.map(AttributeValue.string)
                        $0["app.screen.id"] = id.map(AttributeValue.string)
                    }
                },
                noteActivity: { activities.withLock { $0 += 1 } }, sleep: { _ in await sleepers.sleep() },
            ),
        )
    }

    /// Advances the time by milliseconds.
    func advance(by milliseconds: UInt64) { time.withLock { $0 += milliseconds * 1_000_000 } }

    /// Milliseconds since the start.
    var now: UInt64 { (time.withLock { $0 } - Self.start) / 1_000_000 }

    /// Lets the watch for views that do not appear continue, as soon as it sleeps.
    func passTimeout() async {
        advance(by: 10_000)
        await sleepers.wakeAll()
    }

    var isWatching: Bool { get async { await sleepers.isAnyoneAsleep } }

    func view(
        _ name: String, role: ViewRole = .screen, isKept: Bool = true, _ attributes: Attributes = [:],
    ) -> TestView {
        let identity = ViewIdentity(name, id: "id-\(name)", role: role)
        let view = TestView(tracer.trace(identity, attributes: attributes), self)
        if isKept { kept.append(view) }
        return view
    }

    var screen: String? { ambient.snapshot.attributes["app.screen.name"]?.stringValue }

    /// The spans in the order in which they ended.
    var spans: [SpanData] {
        get throws { try sink.spans }
    }

    var events: [LogRecordData] {
        get throws { try sink.events }
    }

    /// "name from-to" in milliseconds since the start, in the order in which the spans ended.
    var outline: [String] {
        get throws {
            try spans.map { span in
                let times = [span.startTimeUnixNano, span.endTimeUnixNano].map { ($0 - Self.start) / 1_000_000 }
                return "\(span.name) \(times[0])-\(times[1])"
            }
        }
    }
}

/// A view with the lifecycle of SwiftUI: evaluated, visible, covered, released.
final class TestView {
    private let trace: ViewTrace
    private unowned let recorder: ViewRecorder
    private let mark = Mark()

    private final class Mark {}

    init(_ trace: ViewTrace, _ recorder: ViewRecorder) {
        self.trace = trace
        self.recorder = recorder
    }

    func evaluate(taking milliseconds: UInt64 = 0, _ attributes: Attributes = [:]) {
        trace.evaluate(attributes) { recorder.advance(by: milliseconds) }
    }

    func appear() { trace.appeared(ObjectIdentifier(mark)) }
    func disappear() { trace.disappeared(ObjectIdentifier(mark)) }
}

/// Sleepers that a test wakes.
private actor Sleepers {
    private var asleep: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    var isAnyoneAsleep: Bool { !asleep.isEmpty }

    func sleep() async {
        await withCheckedContinuation { continuation in
            asleep.append(continuation)
            for watcher in watchers { watcher.resume() }
            watchers = []
        }
    }

    /// Waits for a sleeper and wakes all.
    func wakeAll() async {
        if asleep.isEmpty { await withCheckedContinuation { watchers.append($0) } }
        let awake = asleep
        asleep = []
        for sleeper in awake { sleeper.resume() }
    }
}
