import AstrolabeTesting
import Testing

@Test func `in the lift the phone is offline for 45 seconds`() {
    let ride = ConditionsScript(
        initial: .nominal,
        steps: [
            ConditionsScript.Step(at: .seconds(20), "enters the lift", ConditionsUpdate(network: .offline)),
            ConditionsScript.Step(at: .seconds(65), "leaves it", ConditionsUpdate(network: .cellular)),
        ],
    )
    let clock = TestClock()
    let phone = SimulatedDevice(playing: ride, on: clock)
    clock.schedule(at: clock.now.advanced(by: .seconds(30))) { phone.enterBackground() }

    clock.advance(by: .seconds(64))
    #expect(phone.current.network == .offline)
    #expect(phone.current.lifecycle == .background)

    clock.advance(by: .seconds(1))
    #expect(phone.current.network == .cellular)
}
