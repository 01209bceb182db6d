import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeTesting
import DeviceLink

/// The app's time, which stands still until the device moves it.
final class VirtualTime: Sendable {
    private let clock = TestClock()
    private let start: Double
    private let latest: Locked<DeviceClock>

    init(_ device: DeviceClock) {
        start = device.uptime
        latest = Locked(device)
    }

    /// The device's last message.
    var device: DeviceClock { latest.withLock { $0 } }

    /// Seconds since the device was switched on.
    var uptime: Double { start + clock.now.offset / .seconds(1) }

    func sleep(_ seconds: Double) async throws {
        try await clock.sleep(for: .seconds(max(seconds, 0)))
    }

    /// Takes over the wall clock and the network from the device, but not yet its uptime.
    func learn(_ device: DeviceClock) { latest.withLock { $0 = device } }

    func move(to uptime: Double) { clock.advance(to: instant(uptime)) }

    /// Moves to the time at which the next task stops waiting, if that is not later than an uptime.
    ///
    /// - Returns: Whether a task stops waiting.
    func moveToNextDeadline(until uptime: Double = .greatestFiniteMagnitude) -> Bool {
        guard let next = clock.nextDeadline, start + next.offset / .seconds(1) <= uptime else { return false }
        clock.advance(to: next)
        return true
    }

    private func instant(_ uptime: Double) -> TestClock.Instant {
        TestClock.Instant(offset: .seconds(uptime - start))
    }

    /// The same time for the SDK.
    var ofDelivery: DeliveryTime {
        DeliveryTime(
            now: { self.uptime },
            wall: {
                let device = self.device
                return UInt64(max(0, device.wall - device.uptime) * 1e9) &+ UInt64(nanosecondsIn: self.uptime)
            },
            sleep: { try await self.sleep($0) },
        )
    }
}
