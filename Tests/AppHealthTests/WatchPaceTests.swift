import Testing

@testable import AstrolabeAppHealth

@Suite struct WatchPaceTests {
    /// Returns the number of checks until the watchdog sleeps; `nil` if it does not within a thousand.
    ///
    /// - Parameter loop: The main run loop at each check.
    private func checks(
        of pace: inout WatchPace, _ loop: (_ check: Int) -> (passes: UInt64, isInPass: Bool),
    ) -> Int? {
        for number in 1...1_000 {
            let (passes, isInPass) = loop(number)
            if pace.check(passes: passes, isInPass: isInPass) == .whenNeeded { return number }
        }
        return nil
    }

    @Test func `a tap alone is three checks`() {
        var pace = WatchPace()
        for tap in 1...3 {
            pace.wake(isNeeded: true)
            #expect(checks(of: &pace) { _ in (UInt64(tap), false) } == 3)
        }
    }

    @Test func `an animation never finds the watchdog asleep`() {
        var pace = WatchPace()
        // A pass in every second interval: 80 ms apart.
        #expect(checks(of: &pace) { (UInt64($0 / 2 + 1), false) } == nil)
    }

    @Test func `a pass is checked until it ends`() {
        var pace = WatchPace()
        #expect(checks(of: &pace) { (1, $0 <= 100) } == 102)
    }

    @Test func `a heartbeat alone is one check`() {
        var pace = WatchPace()
        _ = checks(of: &pace) { _ in (1, false) }
        pace.wake(isNeeded: false)
        #expect(checks(of: &pace) { _ in (1, false) } == 1)
    }

    @Test func `a pass that begins with a heartbeat is checked like any other`() {
        var pace = WatchPace()
        _ = checks(of: &pace) { _ in (1, false) }
        pace.wake(isNeeded: false)
        #expect(checks(of: &pace) { _ in (2, false) } == 3)
    }
}
