import AstrolabeDelivery
import AstrolabeOfflineQueue
import AstrolabePlatform

/// The clock of a device. Only the simulation moves it, and never back.
final class VirtualClock: Sendable {
    private let seconds = Locked(0.0)

    /// Seconds since the start of the simulation.
    var now: Double { seconds.withLock { $0 } }

    func advance(to time: Double) {
        seconds.withLock { $0 = max($0, time) }
    }

    /// Nanoseconds since 1970. The day starts at 6:00 on 1 September 2026, UTC.
    var wall: UInt64 { Self.wall(at: now) }

    static func wall(at time: Double) -> UInt64 { start + UInt64(time * 1e9) }

    /// Seconds since the start.
    static func time(at wall: UInt64) -> Double { Double(wall - start) / 1e9 }

    private static let start: UInt64 = 1_788_242_400_000_000_000

    /// The uptime of the device when the simulation starts, in seconds.
    private static let boot = 1_000_000.0

    /// The clock for the queue.
    var queueClock: QueueClock {
        QueueClock(wall: { self.wall }, steady: { UInt64((Self.boot + self.now) * 1e9) })
    }

    /// The clock for delivery. It never sleeps, because the device checks when the next flush is due.
    func deliveryTime(_ chance: SeededRandom) -> DeliveryTime {
        let chance = Locked(chance)
        return DeliveryTime(
            now: { Self.boot + self.now }, wall: { self.wall }, sleep: { _ in throw CancellationError() },
            random: { chance.withLock { $0.unit() } },
        )
    }
}
