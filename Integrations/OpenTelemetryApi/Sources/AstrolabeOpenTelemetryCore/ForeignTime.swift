import AstrolabePlatform
package import AstrolabeRecording
package import Foundation

/// Dates of another API on the clock of our spans.
///
/// A `Date` is of the wall clock, which people and the network may set while a span runs; ours is anchored. So a date
/// is taken by how long ago it was.
package struct ForeignTime: Sendable {
    private let clock: TelemetryClock

    package init(_ tracer: Tracer) {
        clock = tracer.core?.clock ?? .anchored()
    }

    /// Nanoseconds since 1970; 0 for a date before that.
    package func nanoseconds(_ date: Date) -> UInt64 {
        let now = Double(clock.now)
        return UInt64(min(max(now + date.timeIntervalSinceNow * 1e9, 0), 9e18))
    }
}
