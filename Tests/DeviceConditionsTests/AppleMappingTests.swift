import Testing

@testable import AstrolabeDeviceConditions

struct AppleMappingTests {
    private func path(
        _ status: AppleMapping.PathStatus = .satisfied, wifi: Bool = false, cellular: Bool = false,
        ethernet: Bool = false, expensive: Bool = false, radio: String? = nil,
    ) -> NetworkPath {
        AppleMapping.network(
            status: status, usesWifi: wifi, usesCellular: cellular, usesEthernet: ethernet, isExpensive: expensive,
            isConstrained: false, radioTechnology: radio,
        )
    }

    @Test func `the medium is that of the interface in use`() {
        #expect(path(wifi: true).medium == .wifi)
        #expect(path(cellular: true).medium == .cellular)
        #expect(path(ethernet: true).medium == .ethernet)
        #expect(path().medium == .unknown)
        #expect(path(wifi: true, cellular: true).medium == .wifi)
    }

    @Test func `an unsatisfied path is offline whatever interface it names`() {
        #expect(path(.unsatisfied, wifi: true) == .offline)
        #expect(path(.requiresConnection).isOnline)
    }

    @Test func `a hotspot over Wi-Fi is expensive`() {
        #expect(path(wifi: true, expensive: true) == NetworkPath(.wifi, isExpensive: true))
    }

    @Test func `only cellular paths have a radio technology`() {
        #expect(path(cellular: true, radio: "CTRadioAccessTechnologyNRNSA").radio == .nrNonStandalone)
        #expect(path(cellular: true, radio: "CTRadioAccessTechnologyMorse").radio == nil)
        #expect(path(wifi: true, radio: "CTRadioAccessTechnologyLTE").radio == nil)
    }

    @Test func `a battery level of minus one is unknown, and a fifth is a fifth`() {
        #expect(AppleMapping.power(level: -1, state: 0, isLowPowerMode: false) == .unknown)
        #expect(
            AppleMapping.power(level: 0.2, state: 1, isLowPowerMode: true)
                == Power(level: 0.2, source: .unplugged, isLowPowerMode: true))
        #expect(AppleMapping.power(level: 1, state: 3, isLowPowerMode: false).source == .full)
        #expect(AppleMapping.power(level: 0.5, state: 2, isLowPowerMode: false).isExternal)
    }

    @Test func `unknown thermal states are critical`() {
        #expect((0...4).map(AppleMapping.thermal(state:)) == [.nominal, .fair, .serious, .critical, .critical])
    }

    @Test func `the notifications of a visit make only legal steps`() {
        let store = ConditionsStore(Conditions(lifecycle: AppleMapping.lifecycle(state: 1)))
        let visit = [
            "DidBecomeActive", "WillResignActive", "DidEnterBackground", "WillEnterForeground",
            "DidBecomeActive", "WillTerminate",
        ]
        for event in visit {
            let state = AppleMapping.lifecycle(after: "UIApplication\(event)Notification")
            #expect(state != nil)
            #expect(store.apply(ConditionsUpdate(lifecycle: state)))
        }
        #expect(store.current.lifecycle == .terminated)
    }

    @Test func `every observed notification is mapped and no other`() {
        for name in AppleMapping.lifecycleNotifications { #expect(AppleMapping.lifecycle(after: name) != nil) }
        #expect(AppleMapping.lifecycle(after: "UIApplicationUserDidTakeScreenshotNotification") == nil)
    }

    @Test func `a system has the same name on every thread`() {
        #expect(AppleMapping.systemName(platform: "ios", model: "iPhone16,1") == "iOS")
        #expect(AppleMapping.systemName(platform: "ios", model: "iPad16,3") == "iPadOS")
        #expect(AppleMapping.systemName(platform: "maccatalyst", model: "Mac15,6") == "macOS")
        #expect(AppleMapping.modelVariable(platform: "maccatalyst") == "hw.model")
        #expect(AppleMapping.modelVariable(platform: "ios") == "hw.machine")
        #expect(AppleMapping.systemVersion(major: 18, minor: 1, patch: 0) == "18.1")
        #expect(AppleMapping.systemVersion(major: 17, minor: 6, patch: 1) == "17.6.1")
    }

    @Test func `orientations have their names`() {
        #expect(AppleMapping.orientation(1) == .portrait)
        #expect(AppleMapping.orientation(4) == .landscapeRight)
        #expect(AppleMapping.orientation(99) == .unknown)
    }
}
