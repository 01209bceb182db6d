import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePolicy
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeSessionReplay
import AstrolabeTelemetryModel
import AstrolabeTesting
import Foundation
import Testing

@testable import Astrolabe

/// The device's state in the records and in the app.
@Suite(.timeLimit(.minutes(5))) struct `The device's state` {
    private let collector = TelemetryCollector()
    private let device = SimulatedDevice()

    private func start(_ change: (inout TelemetryConfiguration) -> Void = { _ in }) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.conditions = device
        configuration.health.isEnabled = false
        change(&configuration)
        return collector.start(configuration)
    }

    @Test func `is on the events about the launch, the app's life, the network and the policy`() async throws {
        device.drainBattery(to: 0.42)
        device.rotate(to: .landscapeRight)
        let telemetry = start()
        device.heatUp(to: .serious)
        device.goOnline(over: NetworkPath(.cellular, carrierName: "Example"))
        device.setLowPowerMode(true)
        device.enterBackground()
        // Low Power Mode sends over unmetered networks only.
        device.goOnline(over: .wifi)
        await telemetry.flush()
        let launch = try #require(collector.events(named: "app.launched").first)
        #expect(launch.attributes["astrolabe.device.battery.level"] == .double(0.42))
        #expect(launch.attributes["astrolabe.device.orientation"] == "landscapeRight")
        #expect(launch.attributes["astrolabe.device.thermal_state"] == "nominal")
        for name in ["network.change", "astrolabe.policy.change", "device.app.lifecycle"] {
            let event = try #require(collector.events(named: name).last)
            #expect(event.attributes["astrolabe.device.thermal_state"] == "serious", "\(name)")
            #expect(event.attributes["astrolabe.device.battery.state"] == "unplugged", "\(name)")
        }
        let last = try #require(collector.events(named: "device.app.lifecycle").last)
        #expect(last.attributes["astrolabe.device.low_power_mode"] == true)
        #expect(last.attributes["network.carrier.name"] == "Example")
        await telemetry.shutdown(timeout: .zero)
    }

    @Test func `can be read by the app`() async {
        let telemetry = start { $0.serviceVersion = "2.1.0" }
        device.rotate(to: .portrait)
        device.drainBattery(to: 0.1)
        #expect(telemetry.deviceAttributes["astrolabe.device.battery.level"] == .double(0.1))
        #expect(telemetry.deviceAttributes["astrolabe.device.orientation"] == "portrait")
        #expect(telemetry.deviceAttributes["os.type"] != nil)
        #expect(telemetry.deviceAttributes["service.version"] == "2.1.0")
        #expect(Telemetry.disabled.deviceAttributes.isEmpty)
        await telemetry.shutdown(timeout: .zero)
    }

    @Test func `a shortage of memory is said once for each level, with what is free`() async throws {
        let telemetry = start()
        device.runShortOfMemory(.warning)
        device.runShortOfMemory(.critical)
        device.runShortOfMemory(.warning)
        device.regainMemory()
        await telemetry.flush()
        let messages = collector.events.filter { $0.attributes["free_memory_mb"] != nil }
        #expect(
            messages.map { $0.body.stringValue } == [
                "Memory warning - reduced telemetry buffers", "Critical memory pressure - stopped session replay",
            ])
        #expect(messages.map(\.severityNumber) == [Severity.warn.rawValue, Severity.error.rawValue])
        #expect(messages.allSatisfy { $0.attributes["free_memory_mb"]?.intValue ?? 0 > 0 })
        await telemetry.shutdown(timeout: .zero)
    }

    @Test func `uploads on cellular are turned off and on while the app runs`() async {
        let telemetry = start()
        device.goOnline(over: .cellular)
        #expect(telemetry.uploadsOnCellular)
        telemetry.uploadsOnCellular = false
        #expect(telemetry.policyDecision?.upload.strategy == .wifiOnly)
        telemetry.logger("shop").emit("demo.happened")
        let report = await telemetry.flush()
        #expect(collector.events(named: "demo.happened").isEmpty)
        #expect(report.blockers == [.waitingForWifi])
        telemetry.uploadsOnCellular = true
        #expect(telemetry.policyDecision?.upload.strategy == .batched)
        await telemetry.flush()
        #expect(collector.events(named: "demo.happened").count == 1)
        await telemetry.shutdown(timeout: .zero)
    }

    @Test func `the report says what waits in the queue by kind, and since when`() async throws {
        device.goOffline()
        // The clock of records may differ from the system's by less than a second.
        let before = Date() - 1
        let telemetry = start()
        for _ in 0..<3 { telemetry.tracer("shop").withSpan("work") { _ in } }
        let report = await telemetry.flush()
        #expect(report.queuedByKind["span"] == 3)
        #expect(report.queuedByKind["event"] ?? 0 > 0)
        let oldest = try #require(report.oldestQueued)
        let after = Date() + 1
        #expect((before...after).contains(oldest))
        device.goOnline()
        #expect(await telemetry.flush().oldestQueued == nil)
        await telemetry.shutdown(timeout: .zero)
    }

    @Test func `every scope of the SDK has its version`() async {
        let telemetry = start { $0.replay.isEnabled = true }
        telemetry.views.recordTap("button")
        device.heatUp()
        telemetry.session.reset()
        telemetry.meter("app").counter("demo").add(1)
        await telemetry.flush()
        let scopes = collector.events.map(\.scope) + collector.metrics.map(\.scope)
        let own = scopes.filter { $0.name.hasPrefix("astrolabe.") }
        #expect(
            Set(own.map(\.name)).isSuperset(of: ["astrolabe.sessions", "astrolabe.views", "astrolabe.conditions"]))
        #expect(own.allSatisfy { $0.version == SDKVersion.current })
        await telemetry.shutdown(timeout: .zero)
    }
}
