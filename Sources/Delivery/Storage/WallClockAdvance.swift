import AstrolabePlatform

/// By how much the wall clock was set forward during this run.
///
/// The run's records keep the time of a clock that was read at its start. The queue compares times with the wall clock,
/// and would take such records for old ones.
struct WallClockAdvance: Sendable {
    private let time: DeliveryTime
    private let wallAtStart: UInt64
    private let start: Double

    /// Less is the ordinary drift of two clocks.
    private static let threshold: UInt64 = 3_600_000_000_000

    init(_ time: DeliveryTime) {
        self.time = time
        wallAtStart = time.wall()
        start = time.now()
    }

    /// Nanoseconds; 0 if the clock was set back, which makes no record older.
    var nanoseconds: UInt64 {
        let expected = wallAtStart &+ UInt64(nanosecondsIn: time.now() - start)
        let wall = time.wall()
        return wall > expected && wall - expected >= Self.threshold ? wall - expected : 0
    }
}
