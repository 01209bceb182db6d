import Testing

@testable import AstrolabeDeviceConditions

@Suite struct `Measuring the battery and the orientation` {
    @Test func `begins with the SDK and ends with it, in the background and where consent is denied`() {
        var measuring = DeviceMeasuring()
        var changes = [measuring.move(to: .active, isBatteryMonitored: false)]
        changes.append(measuring.start(.active, isBatteryMonitored: false))
        changes.append(measuring.move(to: .inactive, isBatteryMonitored: true))
        changes.append(measuring.move(to: .background, isBatteryMonitored: true))
        changes.append(measuring.move(to: .background, isBatteryMonitored: false))
        changes.append(measuring.move(to: .inactive, isBatteryMonitored: false))
        changes.append(measuring.stop())
        changes.append(measuring.stop())
        changes.append(measuring.move(to: .active, isBatteryMonitored: false))
        let end = DeviceMeasuring.Change.end(isBatteryMonitored: false)
        #expect(changes == [nil, .begin, nil, end, nil, .begin, end, nil, nil])
    }

    @Test func `gives back the battery as the app had set it`() {
        var measuring = DeviceMeasuring()
        let changes = [measuring.start(.launching, isBatteryMonitored: true), measuring.stop()]
        #expect(changes == [.begin, .end(isBatteryMonitored: true)])
    }

    @Test func `ends when it shows that the app was launched in the background`() {
        var measuring = DeviceMeasuring()
        let changes = [
            measuring.start(.launching, isBatteryMonitored: false),
            measuring.move(to: .background, isBatteryMonitored: true),
        ]
        #expect(changes == [.begin, .end(isBatteryMonitored: false)])
    }

    @Test func `does not begin in an app that is known to be in the background`() {
        var measuring = DeviceMeasuring()
        let changes = [
            measuring.start(.background, isBatteryMonitored: false),
            measuring.move(to: .inactive, isBatteryMonitored: false),
        ]
        #expect(changes == [nil, .begin])
    }
}
