import Foundation
import Testing

@testable import AstrolabeDeviceConditions

struct SimulatedConditionsTests {
    @Test func `a script in JSON has seconds and the changes of each step`() throws {
        let text = """
            { "initial": { "network": { "type": "wifi" }, "lifecycle": "active" },
              "steps": [ { "at": 65.5, "network": { "type": "cellular", "subtype": "lte" } },
                         { "at": 20, "note": "enters the lift", "network": { "type": "offline" } } ] }
            """
        let script = try JSONDecoder().decode(ConditionsScript.self, from: Data(text.utf8))
        #expect(script.steps.map(\.time) == [.seconds(20), .milliseconds(65_500)])
        #expect(script.steps.map(\.note) == ["enters the lift", ""])
        #expect(script.conditions(at: .seconds(19)).network == .wifi)
        #expect(script.conditions(at: .seconds(20)).network == .offline)
        #expect(script.conditions(at: .seconds(66)).network == NetworkPath(.cellular, radio: .lte))
        #expect(try JSONDecoder().decode(ConditionsScript.self, from: JSONEncoder().encode(script)) == script)
    }

    @Test(arguments: ["-1", "1e12"])
    func `an impossible time is rejected`(time: String) {
        let text = #"{ "steps": [ { "at": \#(time), "thermal": "fair" } ] }"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ConditionsScript.self, from: Data(text.utf8))
        }
    }

    @Test func `steps of equal times keep their order`() {
        let script = ConditionsScript(steps: [
            ConditionsScript.Step(at: .seconds(2), "", ConditionsUpdate(thermal: .fair)),
            ConditionsScript.Step(at: .seconds(1), "", ConditionsUpdate(thermal: .critical)),
            ConditionsScript.Step(at: .seconds(1), "", ConditionsUpdate(thermal: .serious)),
        ])
        #expect(script.conditions(at: .seconds(1)).thermal == .serious)
        #expect(script.conditions(at: .seconds(2)).thermal == .fair)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a script plays in the time of the clock`() async {
        let clock = VirtualClock()
        let script = ConditionsScript.commute(stepping: .seconds(10))
        let device = SimulatedConditions(playing: script, clock: clock)
        var changes = device.changes().makeAsyncIterator()
        device.start()
        device.start()
        var played = [await changes.next()]
        for _ in script.steps {
            await clock.someoneSleeps()
            clock.advance(by: .seconds(9))
            #expect(device.current == played.last)
            clock.advance(by: .seconds(1))
            played.append(await changes.next())
        }
        #expect(played == (0...5).map { script.conditions(at: .seconds($0 * 10)) })
        #expect(played.map { $0?.network.isOnline } == [true, false, true, true, false, true])
        device.stop()
        #expect(await changes.next() == nil)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a stopped script does not continue`() async {
        let clock = VirtualClock()
        let device = SimulatedConditions(playing: .commute(), clock: clock)
        device.start()
        await clock.someoneSleeps()
        device.stop()
        clock.advance(by: .seconds(600))
        #expect(device.current == ConditionsScript.commute().initial)
    }

    @Test func `conditions are set manually`() {
        let device = SimulatedConditions(Conditions(network: .wifi))
        device.start()
        #expect(device.apply(ConditionsUpdate(network: .offline, lifecycle: .active)))
        device.moveLifecycle(to: .background)
        #expect(device.current == Conditions(network: .offline, lifecycle: .background))
        device.stop()
    }
}
