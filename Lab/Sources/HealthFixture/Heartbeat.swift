import AstrolabePlatform
import Foundation

/// A thread that wakes up again and again, and measures how late a busy machine lets it.
final class Heartbeat: Sendable {
    static let shared = Heartbeat()

    private struct State {
        /// Nanoseconds by which the thread was late so far.
        var late: UInt64 = 0
        /// When it last began to wait, in nanoseconds since boot.
        var since = HangScript.now.steady

        /// Nanoseconds by which the thread is late that began to wait then.
        func overdue(at now: UInt64) -> UInt64 {
            let late = now - min(since + Heartbeat.interval, now)
            return late > Heartbeat.tolerance ? late : 0
        }
    }

    private let state = Locked(State())

    /// Nanoseconds between two beats, and those by which one may be late without that being counted.
    private static let interval: UInt64 = 20_000_000
    static let tolerance: UInt64 = 10_000_000

    private init() {
        Thread.detachNewThread { [state] in
            while true {
                poll(nil, 0, Int32(Heartbeat.interval / 1_000_000))
                let now = HangScript.now.steady
                state.withLock { state in
                    state.late += state.overdue(at: now)
                    state.since = now
                }
            }
        }
    }

    /// Nanoseconds by which it was late so far, and is now.
    var lateness: UInt64 {
        let now = HangScript.now.steady
        return state.withLock { $0.late + $0.overdue(at: now) }
    }
}
