import Astrolabe
import AstrolabePlatform
import AstrolabeTesting
import Testing

/// Modes lower what the SDK makes by itself. What an app asks to record is kept.
@Suite struct `What an app records` {
    private let collector = TelemetryCollector()
    private let device = SimulatedDevice()

    private func start(_ change: (inout TelemetryConfiguration) -> Void = { _ in }) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.conditions = device
        change(&configuration)
        return collector.start(configuration)
    }

    private static let situations: [@Sendable (SimulatedDevice) -> Void] = [
        { $0.enterBackground() }, { $0.drainBattery(to: 0.15) }, { $0.setLowPowerMode(true) },
        { $0.heatUp(to: .critical) },
    ]

    @Test(arguments: 0..<4)
    func `is sent in every mode, from severity info on`(situation: Int) async {
        let telemetry = start()
        Self.situations[situation](device)
        #expect(telemetry.policyDecision.map { $0.mode <= .reduced } == true)
        telemetry.logger("shop").emit("demo.order.placed")
        telemetry.logger("shop").info("an info")
        telemetry.logger("shop").warn("a warning")
        telemetry.logger("shop").debug("a detail")
        telemetry.views.recordTap("buy")
        // Free again, so that it may be sent.
        device.enterForeground()
        device.setLowPowerMode(false)
        device.coolDown()
        device.plugIn()
        let ledger = await telemetry.shutdown().ledger
        #expect(collector.events(named: "demo.order.placed").count == 1)
        #expect(Set(collector.events(named: "").map(\.body)) == ["an info", "a warning"])
        #expect(collector.events(named: "app.widget.click").isEmpty, "the SDK's own are fewer in these modes")
        // The flight recorder keeps them, except in the minimal mode.
        #expect(ledger.notSent + (ledger.dropped[.notAdmitted] ?? 0) == 2)
        #expect(ledger.notSent == (situation < 2 ? 2 : 0))
    }

    @Test func `comes in order of its priority, which a mode lowers`() async {
        let telemetry = start()
        device.goOffline()
        telemetry.logger("shop").emit("demo.first")
        device.drainBattery(to: 0.15)
        telemetry.logger("shop").emit("demo.second")
        await telemetry.flush()
        device.plugIn()
        telemetry.logger("shop").emit("demo.third")
        await telemetry.flush()
        device.goOnline()
        await telemetry.shutdown()
        let names = collector.events.map(\.eventName).filter { $0.hasPrefix("demo.") }
        #expect(names == ["demo.first", "demo.third", "demo.second"])
    }

    @Test func `is dropped by strict admission, unless its priority is high`() async {
        let telemetry = start {
            $0.policy.admission = .strict
            $0.recorder.isEnabled = false
        }
        device.enterBackground()
        telemetry.logger("shop").emit("demo.order.placed")
        telemetry.logger("shop").emit("demo.order.paid", priority: .high)
        device.enterForeground()
        telemetry.logger("shop").emit("demo.order.seen")
        let ledger = await telemetry.shutdown().ledger
        #expect(
            collector.events.map(\.eventName).filter { $0.hasPrefix("demo.") }.sorted() == [
                "demo.order.paid", "demo.order.seen",
            ])
        #expect(ledger.dropped[.notAdmitted] == 1)
    }

    @Test func `that is dropped for the mode is reported once`() async {
        let lines = Locked<[String]>([])
        let telemetry = start {
            $0.recorder.isEnabled = false
            $0.onDiagnostic = { line in lines.withLock { $0.append(line) } }
        }
        device.enterBackground()
        for _ in 0..<3 { telemetry.logger("shop").debug("a detail") }
        await telemetry.shutdown()
        #expect(lines.withLock { $0 }.filter { $0.contains("not admitted") }.count == 1)
    }

    @Test func `in a session that is sampled out is reported once`() async {
        let lines = Locked<[String]>([])
        let telemetry = start {
            $0.sampling = .ratio(0)
            $0.onDiagnostic = { line in lines.withLock { $0.append(line) } }
        }
        telemetry.session.reset()
        telemetry.session.reset()
        await telemetry.shutdown()
        #expect(lines.withLock { $0 }.filter { $0.contains("sampled out") }.count == 1)
    }
}
