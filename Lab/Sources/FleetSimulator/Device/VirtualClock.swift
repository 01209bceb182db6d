import AstrolabeDelivery
import AstrolabeOfflineQueue
import AstrolabePlatform

/// The clock of a device. Only the simulation moves it, and never back.
final class VirtualClock: Sendable {
    private let seconds = Locked(0.0)
    /// The wall clock at the start of the simulation, in nanoseconds since 1970.
    private let start: UInt64

    init(start: UInt64 = FleetSettings.defaultStart) {
        self.start = start
    }

    /// Seconds since the start of the simulation.
    var now: Double { seconds.withLock { $0 } }

    func advance(to time: Double) {
        seconds.withLock { $0 = max($0, time) }
    }

    /// Nanoseconds since 1970.
    var wall: UInt64 { wall(at: now) }

    func wall(at time: Double) -> UInt64 { start + UInt64(time * 1e9) }

    /// Seconds since the start.
    func time(at wall: UInt64) -> Double { Double(wall - start) / 1e9 }

    /// The uptime of the device when the simulation starts, in seconds.
    private static let boot = 1_000_000.0

    /// The clock for the queue.
    var queueClock: QueueClock {
        QueueClock(steady: { UInt64((Self.boot + self.now) * 1e9) })
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
