import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@testable import Astrolabe

/// A server that takes everything, tells of each request how large its body was, and keeps the names of events.
private struct TakingServer: OTLPTransport {
    let bodies: AsyncStream<Int>
    let eventNames = Locked<[String]>([])
    private let body: AsyncStream<Int>.Continuation

    init() {
        (bodies, body) = AsyncStream.makeStream(of: Int.self)
    }

    func send(_ request: OTLPRequest) async -> SendResult {
        if request.url.path.hasSuffix("/logs"), let groups = try? OTLPDecoder.logs(protobuf: request.body) {
            let names = groups.flatMap { $0.scopes.flatMap(\.records) }.map(\.eventName)
            eventNames.withLock { $0 += names }
        }
        body.yield(request.body.count)
        return .response(status: 200, retryAfter: nil, body: [])
    }
}

/// A time that stands still until a test sets its days. The first is the hundredth since 1970.
private func time(in days: Locked<Double>) -> DeliveryTime {
    DeliveryTime(
        now: { days.withLock { $0 * 86_400 } },
        wall: { UInt64(nanosecondsIn: 86_400 * (100 + days.withLock { $0 })) },
        sleep: { try await TestClock().sleep(for: .seconds($0)) },
    )
}

/// Of an SDK that runs by itself for hours: nothing but what a test provokes makes it flush.
private func patientConfiguration() -> TelemetryConfiguration {
    var configuration = TelemetryConfiguration(serviceName: "test")
    configuration.storageDirectory = temporaryFolder()
    configuration.conditions = SimulatedConditions(Conditions(network: .wifi, lifecycle: .active))
    configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
    configuration.flushInterval = .seconds(3_600)
    configuration.endpoint?.isCompressed = false
    return configuration
}

@Suite(.timeLimit(.minutes(5))) struct `The path of a record behind the recording core` {
    @Test func `is emptied when the journal fills, without a word of the timer`() async {
        let server = TakingServer()
        let telemetry = Telemetry.start(patientConfiguration(), transport: server)
        let text = String(repeating: "a", count: 10_000)
        for _ in 0..<600 {
            telemetry.tracer("test").withSpan("long") { $0.setAttribute("demo.text", text) }
        }
        // Not the session's start alone.
        #expect(await server.bodies.first { $0 > 10_000 } != nil)
        await telemetry.shutdown()
    }

    @Test func `sends only what is critical until the policy has made a plan`() async throws {
        let (configuration, server) = (patientConfiguration(), TakingServer())
        let pipeline = try Pipeline(
            resource: Resource(), directory: configuration.folder, recordSize: configuration.limits.recordSize,
            bounds: .app, transport: server, time: .system, processor: CPUTimeMeter())
        let core = RecordingCore(sink: pipeline.sink, sampler: AlwaysOnSampler())
        let delivery = pipeline.delivery(
            for: configuration, core: core, registry: MetricRegistry(core: core), tracker: nil, nil, isAnew: false,
            checkConsent: {})
        let events = EventLogger(core: core, scope: InstrumentationScope(name: "test"))
        events.emit("demo.waited")
        events.emit(EventName.appCrash, priority: .critical)
        await delivery.flush(.critical)
        #expect(server.eventNames.withLock { $0 } == [EventName.appCrash])
        delivery.setPlan(DeliveryPlan(flushInterval: 3_600, upload: UploadPlan(.immediate, canSend: true)))
        await delivery.flush(.critical)
        #expect(server.eventNames.withLock { $0 } == [EventName.appCrash, "demo.waited"])
        await delivery.stop()
    }

    @Test func `takes records as large as the configuration says`() async {
        var configuration = patientConfiguration()
        configuration.limits.recordSize = 1_000_000
        configuration.limits.attributeValueLength = 400_000
        let server = TakingServer()
        let telemetry = Telemetry.start(configuration, transport: server)
        let text = String(repeating: "a", count: 300_000)
        telemetry.tracer("test").withSpan("long") { $0.setAttribute("demo.text", text) }
        let ledger = await telemetry.shutdown().ledger
        #expect(ledger.dropped.isEmpty)
        #expect(await server.bodies.first { $0 > 300_000 } != nil)
    }

    @Test func `leaves out of a record what no queue would take, whatever the configuration says`() async {
        var configuration = patientConfiguration()
        configuration.limits.recordSize = 100_000_000
        configuration.limits.attributeValueLength = 2_000_000
        let server = TakingServer()
        let telemetry = Telemetry.start(configuration, transport: server)
        let text = String(repeating: "a", count: 1_500_000)
        telemetry.tracer("test").withSpan("long") { $0.setAttribute("demo.text", text) }
        let ledger = await telemetry.shutdown().ledger
        #expect(ledger.dropped.isEmpty && ledger.isBalanced)
    }

    @Test func `lives in the time that it is given, records and queue alike`() async throws {
        let days = Locked(0.0)
        let telemetry = Telemetry.start(
            patientConfiguration(), transport: UnreachableTransport(), time: time(in: days))
        let day: UInt64 = 86_400_000_000_000
        #expect(telemetry.core?.clock.now == 100 * day)
        telemetry.tracer("test").withSpan("old") { _ in }
        await telemetry.flush()
        days.withLock { $0 = 8 }
        #expect(telemetry.core?.clock.now == 108 * day)
        let ledger = await telemetry.flush().ledger
        #expect(ledger.dropped[.expired] ?? 0 > 0 && ledger.isBalanced)
        await telemetry.shutdown(timeout: .zero)
    }

    @Test func `ages each record from when it waits, whatever time of its own it has`() async {
        let days = Locked(0.0)
        let telemetry = Telemetry.start(
            patientConfiguration(), transport: UnreachableTransport(), time: time(in: days))
        for day in [10, 1_000] as [UInt64] {
            let own = day * 86_400_000_000_000
            let span = telemetry.tracer("test").spanBuilder("import").setStartTime(timeUnixNano: own).startSpan()
            span.end(timeUnixNano: own + 1)
            telemetry.logger("test").emit("import", timeUnixNano: own)
        }
        await telemetry.flush()
        days.withLock { $0 = 6 }
        var ledger = await telemetry.flush().ledger
        #expect(ledger.dropped.isEmpty && ledger.isBalanced)
        days.withLock { $0 = 8 }
        ledger = await telemetry.flush().ledger
        #expect(ledger.dropped[.expired] ?? 0 >= 4 && ledger.isBalanced)
        await telemetry.shutdown(timeout: .zero)
    }

    @Test func `keeps what is recorded after the wall clock was set forward by a month`() async {
        let times = Locked((now: 0.0, wall: 86_400.0 * 100))
        let time = DeliveryTime(
            now: { times.withLock { $0.now } }, wall: { times.withLock { UInt64(nanosecondsIn: $0.wall + $0.now) } },
            sleep: { try await TestClock().sleep(for: .seconds($0)) },
        )
        let telemetry = Telemetry.start(patientConfiguration(), transport: UnreachableTransport(), time: time)
        times.withLock { $0.wall += 86_400 * 30 }
        telemetry.tracer("test").withSpan("new") { _ in }
        await telemetry.flush()
        times.withLock { $0.now += 6 * 86_400 }
        var ledger = await telemetry.flush().ledger
        #expect(ledger.dropped.isEmpty && ledger.isBalanced)
        times.withLock { $0.now += 2 * 86_400 }
        ledger = await telemetry.flush().ledger
        #expect(ledger.dropped[.expired] ?? 0 > 0, "it is older than seven days now")
        await telemetry.shutdown(timeout: .zero)
    }

    @Test func `steps the mode down when the budget is broken, and says so`() async throws {
        var configuration = patientConfiguration()
        configuration.viewTracing = .off
        let clock = Locked(1_000.0)
        let time = DeliveryTime(
            now: { clock.withLock { $0 } },
            sleep: { _ in
                let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
                for await _ in stream {}
                continuation.finish()
                try Task.checkCancellation()
            },
        )
        let server = TakingServer()
        let telemetry = Telemetry.start(configuration, transport: server, time: time)
        let driver = try #require(telemetry.driver)
        await driver.measure()
        let before = try #require(telemetry.policyDecision?.mode)
        // 60 ms of a second, by what a record is taken to cost.
        for _ in 0..<40_000 { telemetry.tracer("test").withSpan("work") { _ in } }
        clock.withLock { $0 += 1 }
        await driver.measure()
        #expect(try #require(telemetry.policyDecision?.mode) < before)
        #expect(telemetry.policyDecision?.mode == .minimal)
        await telemetry.flush()
        #expect(server.eventNames.withLock { $0.contains(EventName.budgetStep) })
        await telemetry.shutdown(timeout: .zero)
    }

    @Test func `counts what its owners hold in memory, though nothing waits`() async throws {
        let telemetry = Telemetry.start(patientConfiguration(), transport: TakingServer())
        let text = String(repeating: "a", count: 10_000)
        for _ in 0..<50 {
            telemetry.tracer("test").withSpan("long") { $0.setAttribute("demo.text", text) }
        }
        let report = await telemetry.flush()
        #expect(report.ledger.pending == 0)
        let driver = try #require(telemetry.driver)
        let actions = try #require(Mirror(reflecting: driver).descendant("actions") as? PolicyController.Actions)
        // A segment, and a request twice: its records and its body.
        #expect(await actions.sample().memoryBytes > 270_336 + 2 * 500_000)
        await telemetry.shutdown()
    }

    /// The parts of an SDK that still live.
    private struct Parts {
        weak var telemetry: Telemetry?
        weak var core: RecordingCore?
        weak var delivery: DeliveryService?
        weak var driver: PolicyController?

        var isAlive: Bool { telemetry != nil || core != nil || delivery != nil || driver != nil }
    }

    private func live(_ configuration: TelemetryConfiguration) async -> Parts {
        let telemetry = Telemetry.start(configuration, transport: TakingServer())
        telemetry.tracer("test").withSpan("work") { _ in telemetry.logger("test").emit("demo.happened") }
        telemetry.meter("test").counter("demo.items").add(1)
        await telemetry.flush()
        await telemetry.shutdown()
        return Parts(
            telemetry: telemetry, core: telemetry.core,
            delivery: telemetry.run.withLock { $0?.delivery },
            driver: telemetry.driver,
        )
    }

    @Test func `is gone after a shutdown, with its memory`() async throws {
        let configuration = patientConfiguration()
        let parts = await live(configuration)
        // Tasks that saw the end may take a moment to be gone themselves.
        try await eventually("no part of the SDK is alive") { !parts.isAlive }
        #if os(Linux)
        let folder = try #require(configuration.storageDirectory).path
        try await eventually("no file of the folder is mapped") {
            try !String(contentsOfFile: "/proc/self/maps", encoding: .utf8).contains(folder)
        }
        #endif
    }
}
