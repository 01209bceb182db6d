import Astrolabe
import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeSessions
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@Suite struct `The running SDK` {
    @Test func `puts the session and the screen on every span and event`() throws {
        let sink = MemorySink()
        let telemetry = telemetry(into: sink)
        let session = try #require(telemetry.session.current?.id)
        telemetry.setScreen("ProductList", id: "products")
        telemetry.tracer("test").withSpan("work") { _ in telemetry.logger("test").emit("demo.happened") }
        let span = try #require(try sink.spans.first)
        #expect(span.attributes["session.id"] == .string(session))
        #expect(span.attributes["app.screen.name"] == "ProductList")
        let event = try #require(try sink.events.last)
        #expect(event.eventName == "demo.happened")
        #expect(event.attributes["session.id"] == .string(session))
        #expect(event.attributes["app.screen.id"] == "products")
        #expect(event.spanID == span.context.spanID)
        telemetry.setScreen("Cart")
        telemetry.tracer("test").withSpan("cart") { _ in }
        #expect(try sink.spans.last?.attributes["app.screen.id"] == "Cart")
        telemetry.setScreen(nil)
        telemetry.tracer("test").withSpan("later") { _ in }
        #expect(try sink.spans.last?.attributes["app.screen.name"] == nil)
        #expect(try sink.spans.last?.attributes["app.screen.id"] == nil)
    }

    @Test func `an app may ask for the consent while the SDK reports what was redacted of a user`() {
        let running = Locked<Telemetry?>(nil)
        let told = Locked<[TelemetryConsent]>([])
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.redaction.reportsReplacements = true
        configuration.onDiagnostic = { _ in
            guard let consent = running.withLock({ $0 })?.consent else { return }
            told.withLock { $0.append(consent) }
        }
        let telemetry = Telemetry(configuration, sink: MemorySink())
        running.withLock { $0 = telemetry }
        telemetry.setUser(email: "ada@example.com")
        #expect(told.withLock { Set($0) } == [telemetry.consent])
        running.withLock { $0 = nil }
    }

    @Test func `a reset ends the session before the next one starts, each event with its own id`() throws {
        let sink = MemorySink()
        let telemetry = telemetry(into: sink)
        let first = try #require(telemetry.session.current?.id)
        let second = try #require(telemetry.session.reset()?.id)
        let events = try sink.events
        #expect(events.map(\.eventName) == ["session.start", "session.end", "session.start"])
        #expect(events.map { $0.attributes["session.id"]?.stringValue } == [first, first, second])
        #expect(events.last?.attributes["session.previous_id"] == .string(first))
        #expect(
            events.map { $0.attributes["astrolabe.session.start_reason"]?.stringValue } == ["launch", nil, "reset"])
    }

    @Test(arguments: [true, false])
    func `a reset is told in every mode: without its ends a session cannot be read`(isMinimal: Bool) async {
        let collector = TelemetryCollector()
        let device = SimulatedDevice()
        if isMinimal { device.setLowPowerMode(true) } else { device.heatUp() }
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.conditions = device
        let telemetry = collector.start(configuration)
        // Its first session began before there was a mode.
        #expect(telemetry.policyDecision?.mode == (isMinimal ? .minimal : .reduced))
        telemetry.session.reset()
        telemetry.logger("shop").emit("demo.happened", severity: .debug)
        device.setLowPowerMode(false)
        device.coolDown()
        await telemetry.flush()
        #expect(collector.events(named: "session.start").count == 2)
        #expect(collector.events(named: "session.end").count == 1)
        #expect(collector.events(named: "demo.happened").isEmpty)
        await telemetry.shutdown()
    }

    @Test func `the installation and the session outlive a restart, and an erased folder begins both anew`() throws {
        let folder = temporaryFolder()
        let first = telemetry(into: MemorySink(), folder: folder)
        let second = telemetry(into: MemorySink(), folder: folder)
        #expect(first.installationID == second.installationID)
        #expect(first.session.current?.id == second.session.current?.id)
        try FileManager.default.removeItem(at: folder)
        let reinstalled = telemetry(into: MemorySink(), folder: folder)
        #expect(reinstalled.installationID != first.installationID)
        #expect(reinstalled.session.current?.id != first.session.current?.id)
    }

    @Test func `a resumed session is on the records though nothing was announced`() throws {
        let folder = temporaryFolder()
        let id = telemetry(into: MemorySink(), folder: folder).session.current?.id
        let sink = MemorySink()
        telemetry(into: sink, folder: folder).tracer("test").withSpan("work") { _ in }
        #expect(try sink.spans.first?.attributes["session.id"]?.stringValue == id)
        #expect(try sink.events.isEmpty)
    }

    @Test func `the resource says what the app and the SDK are`() {
        let telemetry = telemetry(into: MemorySink()) {
            $0.serviceVersion = "2.1.0"
            $0.resourceAttributes["device.model.identifier"] = "iPhone16,1"
        }
        let attributes = telemetry.resource.attributes
        #expect(attributes["service.name"] == "test")
        #expect(attributes["service.version"] == "2.1.0")
        #expect(attributes["telemetry.sdk.language"] == "swift")
        #expect(attributes["device.model.identifier"] == "iPhone16,1")
        #expect(attributes["app.installation.id"] == .string(telemetry.installationID))
    }

    @Test func `a minimum severity holds for the app's loggers, and not for the SDK's events`() throws {
        let sink = MemorySink()
        let telemetry = telemetry(into: sink) { $0.minimumSeverity = .error }
        telemetry.logger("test").warn("left out")
        telemetry.logger("test").error("kept")
        telemetry.session.reset()
        let events = try sink.events
        #expect(events.filter(\.eventName.isEmpty).map(\.body) == ["kept"])
        #expect(events.contains { $0.eventName == "session.start" })
    }

    @Test func `exceptions of spans are log records if the configuration says so`() throws {
        let sink = MemorySink()
        let telemetry = telemetry(into: sink) { configuration in
            configuration.exceptionSignal = .logs
            configuration.minimumSeverity = .fatal
        }
        telemetry.tracer("test").withSpan("work") { $0.recordException(CocoaError(.fileNoSuchFile)) }
        let event = try #require(try sink.events.last)
        #expect(event.eventName == "exception" && event.attributes["exception.type"] == "NSCocoaErrorDomain/4")
        #expect(event.spanID == (try sink.spans.first)?.context.spanID)
        #expect(try sink.spans.first?.events.isEmpty == true)
    }

    @Test func `a server has no session and no installation of its own`() throws {
        let sink = MemorySink()
        let folder = temporaryFolder()
        let telemetry = telemetry(into: sink, folder: folder) { $0.isServer = true }
        telemetry.tracer("test").withSpan("work") { _ in }
        #expect(telemetry.session.current == nil)
        #expect(telemetry.resource.attributes["app.installation.id"] == nil)
        #expect(try sink.spans.first?.attributes["session.id"] == nil)
        #expect(try sink.events.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test(arguments: [Int64.max, -1, 0])
    func `no interval of metrics ends the app`(_ seconds: Int64) async {
        let folder = temporaryFolder()
        var configuration = TelemetryConfiguration(serviceName: "intervals")
        configuration.isServer = true
        configuration.storageDirectory = folder
        configuration.metricInterval = .seconds(seconds)
        let telemetry = Telemetry.start(configuration, transport: UnreachableTransport())
        #expect(telemetry.isEnabled)
        await telemetry.shutdown(timeout: .zero)
        try? FileManager.default.removeItem(at: folder)
    }

    @Test func `disabled, it takes every call and does nothing`() async {
        var configuration = TelemetryConfiguration()
        configuration.isEnabled = false
        let telemetry = Telemetry.start(configuration, transport: UnreachableTransport())
        #expect(!telemetry.isEnabled)
        telemetry.setScreen("Home")
        telemetry.session.recordUserActivity()
        telemetry.logger("test").emit("nothing")
        telemetry.meter("test").counter("nothing").add(1)
        let result = telemetry.tracer("test").withSpan("nothing") { span in
            #expect(!span.isRecording)
            #expect(!span.context.isValid)
            return 7
        }
        #expect(result == 7)
        #expect(await telemetry.shutdown().ledger.created == 0)
    }

    @Test func `metrics become records when they are collected`() throws {
        let sink = MemorySink()
        let telemetry = telemetry(into: sink)
        let counter = telemetry.meter("test", version: "1").counter("demo.items", unit: "{item}")
        counter.add(2)
        counter.add(3)
        telemetry.collectMetrics()
        let metric = try #require(try sink.metrics.first)
        #expect(metric.name == "demo.items")
        guard case .sum(let points, .delta, isMonotonic: true) = metric.data else {
            Issue.record("expected a monotonic sum of deltas, found \(metric.data)")
            return
        }
        #expect(points.map(\.value) == [.int(5)])
    }
}
