extension Conditions {
    /// On Wi-Fi, at 80 % of the battery, cool, with memory enough and the app in front.
    public static let nominal = Conditions(
        network: .wifi, power: Power(level: 0.8, source: .unplugged), lifecycle: .active,
    )
}

extension DeviceContext {
    /// A small iPhone of 2022 with 4 GB of memory, of which the system reports 3.7.
    ///
    /// The policy raises its sampling rate for 6 GB and more, so tests that depend on the rate name the memory.
    public static let simulatedPhone = DeviceContext(
        platform: "ios",
        osName: "iOS",
        osVersion: "16.7",
        manufacturer: "Apple",
        deviceModelRaw: "iPhone14,6",
        screenSize: ScreenSize(width: 375, height: 667),
        screenScale: 2,
        isSimulator: true,
        processorCount: 6,
        physicalMemoryGB: 3.7,
        locale: "en_US",
        timezone: "UTC",
        appVersion: "1.0",
        buildNumber: "1",
    )
}
