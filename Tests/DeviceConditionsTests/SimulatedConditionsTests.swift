import Testing

@testable import AstrolabeDeviceConditions

struct SimulatedConditionsTests {
    @Test func `conditions are set manually`() {
        let device = SimulatedConditions(Conditions(network: .wifi))
        device.start()
        #expect(device.apply(ConditionsUpdate(network: .offline, lifecycle: .active)))
        device.moveLifecycle(to: .background)
        #expect(device.current == Conditions(network: .offline, lifecycle: .background))
        device.stop()
    }
}
