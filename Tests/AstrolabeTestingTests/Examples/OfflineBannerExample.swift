import AstrolabeTesting
import Testing

/// The banner above the products on the shop's start page.
func banner(in conditions: Conditions) -> String? {
    if !conditions.network.isOnline { return "You are offline. Prices may be old." }
    if conditions.power.isLowPowerMode { return "Low Power Mode: pictures are small." }
    return nil
}

@Test func `the banner says what the phone lives through`() {
    let device = SimulatedDevice()
    #expect(banner(in: device.current) == nil)

    device.goOffline()
    #expect(banner(in: device.current) == "You are offline. Prices may be old.")

    device.goOnline(over: .cellular)
    device.drainBattery(to: 0.04)
    device.setLowPowerMode(true)
    #expect(banner(in: device.current) == "Low Power Mode: pictures are small.")
}
