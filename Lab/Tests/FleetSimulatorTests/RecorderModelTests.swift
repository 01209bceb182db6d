import AstrolabeDelivery
import AstrolabeGzip
import AstrolabeJournal
import AstrolabeOTLP
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

@testable import FleetSimulator

@Suite(.timeLimit(.minutes(5))) struct `The model of the flight recorder` {
    @Test(arguments: [
        ScriptedSession(seconds: 1_800), ScriptedSession(seconds: 1_200, fault: .crash, position: 0.5),
        ScriptedSession(seconds: 1_200, fault: .abandonedFlow), ScriptedSession(restart: 301),
        ScriptedSession(seconds: 1_800, position: 0.8, restart: 301),
        ScriptedSession(fault: .hang, limits: RecorderLimits(dailyBytes: 10_000)),
    ])
    func `promotes as many spans as the SDK's recorder does`(session: ScriptedSession) async throws {
        let phone = RealRecorder(session)
        let day = PhoneDay(session.plan, badShare: 1, limits: session.limits)
        try await phone.live(day)
        let (sent, bytes) = (phone.collector.spans, phone.sizes.mean)
        // Each span costs one byte.
        let costs = RecordCosts(payload: { _ in bytes }, body: { part, count in part.isSpan ? count : 0 })
        var pass = SamplingPass(day, scheme: .recorderAlone, costs: costs, limits: session.limits)
        let modelled = pass.run().tracesSent
        #expect(sent > 0)
        // The budget of a day ends within an action, which the model promotes as a whole.
        #expect(abs(sent - modelled) < 3, "\(sent) spans, \(modelled) in the model")
    }
}

/// A phone with the SDK's recording, ring, queue and delivery, for the moments of a scripted day.
private final class RealRecorder {
    private struct Run {
        let core: RecordingCore
        let delivery: DeliveryService
    }

    let collector = SpanCounter()
    let sizes = SizedSpans()
    private let folder = TemporaryDirectory()
    private let clock = VirtualClock()
    private let limits: RecorderLimits
    private var run: Run?

    private static let session = "5f4f8b52-2d7e-4c70-9a51-6c1e0d8a7b33"

    init(_ script: ScriptedSession) {
        limits = script.limits
    }

    func live(_ day: PhoneDay) async throws {
        for moment in day.moments {
            clock.advance(to: moment.time)
            switch moment.event {
            case .action(let index): record(day.plan.actions[index].spans)
            case .metrics: break
            case .flush: await run?.delivery.flush()
            case .launch(let report):
                run?.delivery.abandon()
                run = nil
                run = try start()
                if let report { ask(for: day.badSessions[report]) }
                await run?.delivery.flush()
            case .trigger(let number):
                ask(for: day.badSessions[number])
                await run?.delivery.promote()
            }
        }
        run?.delivery.abandon()
    }

    private func start() throws -> Run {
        let url = try #require(URL(string: "http://collector.example:4318"))
        var bounds = QueueConfiguration()
        bounds.durability = .processDeath
        let ledger = DurableLedger(path: folder.path + "/queue.db", configuration: bounds, clock: clock.queueClock)
        var settings = JournalConfiguration(directory: folder.path + "/journal")
        settings.preparesOnDemand = true
        settings.onRetire = { ledger.retire($0) }
        var ring = settings
        ring.directory = folder.path + "/recorder"
        ring.segmentSize = limits.segmentBytes
        ring.segmentsAhead = 1
        ring.maximumBytes = limits.capacity
        ring.maximumRecoveredBytes = limits.capacity
        ring.overwrittenOutcome = .notSent
        let sink = JournalSink(
            try RecordJournal(settings, header: [], started: clock.wall),
            ring: try RecordJournal(ring, header: [], started: clock.wall), upkeep: { $0() })
        var delivery = DeliveryService.Settings(endpoint: OTLPEndpoint(url: url))
        delivery.recorder.dailyBytes = limits.dailyBytes
        var hooks = DeliveryHooks()
        hooks.continuesSession = { true }
        let core = RecordingCore(
            sink: sizes.counting(sink), clock: TelemetryClock { [clock] in clock.wall },
            sampler: SessionSampler(rate: 0, session: Self.session),
            ambient: AmbientAttributes([AttributeKey.sessionID: Self.session]), recorder: RecorderTriggers())
        return Run(
            core: core,
            delivery: DeliveryService(
                journal: sink.journal, ring: sink.ring, durableLedger: ledger, transport: collector,
                settings: delivery, hooks: hooks, time: clock.deliveryTime(SeededRandom(seed: 1, stream: .jitter))))
    }

    private func record(_ spans: Int) {
        guard let run else { return }
        let tracer = Tracer(core: run.core, scope: InstrumentationScope(name: "shop", version: "1.0.0"))
        for _ in 0..<spans {
            let span = tracer.spanBuilder("GET /api/cart").setStartTime(timeUnixNano: clock.wall).setNoParent()
                .startSpan()
            span.setAttributes([AttributeKey.appScreenName: "Cart"])
            span.end(timeUnixNano: clock.wall, priority: .normal)
        }
    }

    /// As the trigger of a fault does.
    private func ask(for bad: PhoneDay.BadSession) {
        let trigger = RecorderTrigger(rawValue: bad.fault.rawValue) ?? .error
        let flow = trigger == .flow ? RecorderTriggers.Flow(from: "Cart", to: "Confirmation") : nil
        run?.core.keepRecording(trigger, at: clock.wall(at: bad.time), session: Self.session, flow: flow)
    }
}

/// The number of spans on their way to a sink, and their bytes.
private final class SizedSpans: Sendable {
    private let total = Locked((count: 0, bytes: 0))

    /// Bytes of a span on average.
    var mean: Int { total.withLock { $0.bytes / max($0.count, 1) } }

    func counting(_ sink: JournalSink) -> any RecordSink { Sink(sink: sink, spans: self) }

    private struct Sink: RecordSink {
        let sink: JournalSink
        let spans: SizedSpans

        func register(_ scope: InstrumentationScope) -> ScopeNumber { sink.register(scope) }

        func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
            if header.kind == .span {
                spans.total.withLock { $0 = ($0.count + 1, $0.bytes + bytes.count) }
            }
            sink.append(bytes, header: header)
        }
    }
}

/// A collector that counts the spans that it gets.
private final class SpanCounter: OTLPTransport {
    private let count = Locked(0)

    var spans: Int { count.withLock { $0 } }

    func send(_ request: OTLPRequest) async -> SendResult {
        if request.url.lastPathComponent == "traces" {
            let isCompressed = request.headers["Content-Encoding"] == "gzip"
            let body: [UInt8]? =
                isCompressed ? (try? GzipCoder.decompress(request.body, limit: 1 << 24)) : request.body
            let groups = (try? OTLPDecoder.traces(protobuf: body ?? [])) ?? []
            let spans = groups.flatMap { $0.scopes.flatMap(\.records) }
            count.withLock { $0 += spans.count }
        }
        return .response(status: 200, retryAfter: nil, body: [])
    }
}
