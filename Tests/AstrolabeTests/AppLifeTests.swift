import AstrolabeDeviceConditions
import AstrolabeTelemetryModel
import AstrolabeTesting
import Testing

@testable import Astrolabe

@Suite(.timeLimit(.minutes(5))) struct `The app's life and its session` {
    @Test func `the first record of a return belongs to the new session`() async throws {
        let phone = PhoneInTime()
        phone.launch()
        let first = try #require(phone.telemetry.session.current?.id)
        phone.device.enterBackground()
        phone.pass(3_600)
        phone.device.enterForeground()
        let second = try #require(phone.telemetry.session.current?.id)
        await phone.kill()
        #expect(second != first)
        let lifecycle = phone.records(named: "device.app.lifecycle").filter { $0.time >= 3_600 }
        #expect(lifecycle.count == 2)
        #expect(lifecycle.allSatisfy { $0.session == second })
        let resumed = phone.records(named: "session.resume")
        #expect(resumed.isEmpty)
    }

    @Test func `a screen that appears in the foreground is an activity, and in the background it is none`() {
        let phone = PhoneInTime()
        phone.launch()
        let first = phone.telemetry.session.current?.id
        phone.pass(1_700)
        phone.telemetry.setScreen("Home")
        phone.pass(1_700)
        phone.telemetry.setScreen("Cart")
        #expect(phone.telemetry.session.current?.id == first)
        phone.device.enterBackground()
        phone.pass(1_700)
        phone.telemetry.setScreen("Widget")
        phone.pass(200)
        phone.device.enterForeground()
        #expect(phone.telemetry.session.current?.id != first)
    }

    @Test func `becoming active after an interruption is an activity`() {
        let phone = PhoneInTime()
        phone.launch()
        let first = phone.telemetry.session.current?.id
        for _ in 0..<3 {
            phone.pass(1_700)
            phone.device.apply(ConditionsUpdate(lifecycle: .inactive))
            phone.device.apply(ConditionsUpdate(lifecycle: .active))
        }
        phone.pass(1_700)
        phone.telemetry.session.recordUserActivity()
        #expect(phone.telemetry.session.current?.id == first)
    }

    @Test func `the end of the app says how long the session was and how many screens it had`() async throws {
        let phone = PhoneInTime()
        phone.launch()
        phone.telemetry.setScreen("Home")
        phone.pass(90)
        phone.telemetry.setScreen("Cart")
        phone.device.terminate()
        await phone.kill()
        let end = try #require(
            phone.records(named: "device.app.lifecycle").last { $0.attributes["ios.app.state"] == "terminate" })
        #expect(end.attributes["session_duration_seconds"] == .double(90))
        #expect(end.attributes["screens_visited"] == .int(2))
    }

    @Test(arguments: [LifecycleState.active, .background, .launching])
    func `every launch is an event`(lifecycle: LifecycleState) async {
        let phone = PhoneInTime { $0.sampling = .ratio(0) }
        for _ in 0..<3 {
            phone.launch(lifecycle)
            await phone.kill()
        }
        #expect(phone.records(named: "app.launched").count == 3)
    }

    @Test func `records after a suspension have the time of day as it is set then`() async throws {
        let phone = PhoneInTime()
        phone.launch()
        let span = phone.telemetry.tracer("week").spanBuilder("long").startSpan()
        phone.device.enterBackground()
        phone.setClock(by: 86_400)
        phone.pass(60)
        phone.device.enterForeground()
        phone.use("after")
        phone.telemetry.tracer("week").spanBuilder("child").setParent(span).startSpan().end()
        span.end()
        await phone.kill()
        #expect(phone.records(named: "after").first?.time == 86_460)
        #expect(phone.records(named: "span after").first?.time == 86_460)
        // The trace that began before keeps its clock.
        #expect(phone.records(named: "span long").first?.attributes["test.duration"] == .double(60))
        #expect(phone.records(named: "span child").first?.time == 60)
    }

    @Test func `a flush notices that the clock was set`() async throws {
        let phone = PhoneInTime()
        phone.launch()
        phone.setClock(by: -86_400)
        await phone.telemetry.flush()
        phone.use("after")
        await phone.kill()
        #expect(phone.records(named: "after").first?.time == -86_400)
    }
}
