import Astrolabe
import AstrolabeSessionReplay
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

/// A screen with one text.
@MainActor
private final class Sign: ReplaySource {
    private(set) var revision: Int? = 1
    private(set) var reads = 0
    private var text = "open"

    func show(_ text: String) {
        self.text = text
        revision = revision.map { $0 + 1 }
    }

    func wireframe() -> Wireframe? {
        reads += 1
        return Wireframe(width: 393, height: 852, root: .init(id: 1, role: .text, text: text))
    }
}

/// The replay over the real path to a collector, at the policy's word.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The replay of a running app` {
    private let collector = TelemetryCollector()
    private let device = SimulatedDevice()
    private let sign = Sign()

    private func start(_ change: (inout TelemetryConfiguration) -> Void = { _ in }) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.conditions = device
        configuration.replay.isEnabled = true
        change(&configuration)
        let telemetry = collector.start(configuration)
        telemetry.replay.attach(sign)
        return telemetry
    }

    private var events: [Collected<LogRecordData>] { collector.events(named: "astrolabe.replay") }

    private func wait(for count: Int, in telemetry: Telemetry) async throws {
        try await eventually("\(count) frames have arrived") { await hasFlushed(count, of: telemetry) }
    }

    private func hasFlushed(_ count: Int, of telemetry: Telemetry) async -> Bool {
        await telemetry.flush()
        return events.count >= count
    }

    @Test func `is recorded where it is asked for, as records of the session`() async throws {
        let telemetry = start()
        try await wait(for: 1, in: telemetry)
        let event = try #require(events.first)
        #expect(event.scope.name == "astrolabe.replay")
        #expect(event.severityNumber == 5)
        #expect(event.attributes["session.id"]?.stringValue == telemetry.session.current?.id)
        #expect(event.attributes["log.record.uid"] != nil)
        await telemetry.shutdown()
    }

    @Test func `shows what an app draws by itself, masked as other texts are`() async throws {
        let telemetry = start { $0.replay.unmasked = ["score"] }
        telemetry.attachReplay(of: CGSize(width: 320, height: 200)) {
            [
                ReplayArea(id: 1, frame: CGRect(x: 8, y: 16, width: 64, height: 24), text: "hidden words"),
                ReplayArea(id: 2, frame: CGRect(x: 8, y: 48, width: 64, height: 24), text: "1200", name: "score"),
                ReplayArea(id: 3, frame: CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1)),
            ]
        }
        try await wait(for: 1, in: telemetry)
        let frame = try #require(events.first.map { "\($0.attributes)" })
        #expect(frame.contains("320") && frame.contains("1200") && frame.contains("image"))
        #expect(!frame.contains("hidden"))
        await telemetry.shutdown()
    }

    @Test func `is off unless it is asked for`() async throws {
        let telemetry = start { $0.replay.isEnabled = false }
        #expect(!telemetry.replay.isEnabled)
        let server = start { $0.isServer = true }
        #expect(!server.replay.isEnabled)
        #expect(!Telemetry.disabled.replay.isEnabled)
        #expect(sign.reads == 0)
    }

    @Test func `needs an app that adds it, where a variable turns it on`() async throws {
        let environment = ["ASTROLABE_REPLAY": "on"]
        let without = collector.start(try .load(environment: environment))
        #expect(without.screenRecorder == nil)
        await without.shutdown()
        let with = collector.start(try .load(environment: environment) { $0.addReplay() })
        #expect(with.replay.isEnabled)
        await with.shutdown()
    }

    @Test func `comes more slowly in a mode that collects no other debug records`() async throws {
        device.drainBattery(to: 0.15)
        let telemetry = start()
        #expect(telemetry.policyDecision?.mode == .reduced)
        telemetry.logger("shop").emit("demo.debug", severity: .debug)
        try await wait(for: 1, in: telemetry)
        #expect(collector.events(named: "demo.debug").isEmpty)
        await telemetry.shutdown()
    }

    @Test func `pauses in the background, and goes on with a key frame`() async throws {
        let telemetry = start()
        try await wait(for: 1, in: telemetry)
        device.enterBackground()
        sign.show("closed")
        await telemetry.flush()
        #expect(sign.reads == 1)
        device.enterForeground()
        try await wait(for: 2, in: telemetry)
        #expect(events.map { $0.attributes["astrolabe.replay.is_key_frame"] } == [true, true])
        #expect(events.map { $0.attributes["astrolabe.replay.sequence"] } == [0, 1])
        await telemetry.shutdown()
    }

    @Test func `stops while memory is short, and in minimal mode`() async throws {
        device.runShortOfMemory(.critical)
        let telemetry = start()
        device.regainMemory()
        try await wait(for: 1, in: telemetry)
        device.unplug()
        device.setLowPowerMode(true)
        #expect(telemetry.policyDecision?.replayFrameRate == 0)
        sign.show("closed")
        await telemetry.flush()
        #expect(sign.reads == 1)
        device.setLowPowerMode(false)
        try await wait(for: 2, in: telemetry)
        await telemetry.shutdown()
    }

    @Test func `begins a session that follows an order with a key frame`() async throws {
        let telemetry = start()
        try await wait(for: 1, in: telemetry)
        let next = telemetry.session.reset()
        try await wait(for: 2, in: telemetry)
        #expect(events.last?.attributes["astrolabe.replay.is_key_frame"] == true)
        #expect(events.last?.attributes["session.id"]?.stringValue == next?.id)
        await telemetry.shutdown()
    }

    @Test func `ends with the SDK`() async throws {
        let telemetry = start()
        try await wait(for: 1, in: telemetry)
        await telemetry.shutdown()
        device.enterBackground()
        device.enterForeground()
        #expect(sign.reads == 1)
    }
}
