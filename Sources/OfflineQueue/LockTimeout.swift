import AstrolabePlatform

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The time that calls wait for another process's transaction, for all connections and attempts to open one.
///
/// After a wait without success the next calls do not wait, until one succeeds. A process that holds the database for
/// long therefore costs a series of calls one wait, and not one each.
package final class LockTimeout: Sendable {
    private struct State {
        /// When the current wait began.
        var start: UInt64 = 0
        var isSpent = false
        /// No wait lasts longer than this.
        var end = UInt64.max
    }

    /// Nanoseconds of one wait.
    private let longest: UInt64
    private let now: @Sendable () -> UInt64
    private let pause: @Sendable (_ milliseconds: UInt32) -> Void
    private let state = Locked(State())

    package convenience init(milliseconds: Int32) {
        self.init(milliseconds: milliseconds, now: { SystemTime.sinceBoot }, pause: { usleep($0 * 1_000) })
    }

    /// - Parameters:
    ///   - milliseconds: The longest wait.
    ///   - now: Nanoseconds on a monotonic clock.
    ///   - pause: Sleeps for milliseconds.
    init(
        milliseconds: Int32, now: @escaping @Sendable () -> UInt64,
        pause: @escaping @Sendable (_ milliseconds: UInt32) -> Void,
    ) {
        longest = UInt64(max(milliseconds, 0)) * 1_000_000
        self.now = now
        self.pause = pause
    }

    /// Limits all further waits, and the current one, to a quarter of the time that is left. The rest is for the work.
    package func limit(toQuarterOf seconds: Double) {
        let end = now() + UInt64(nanosecondsIn: min(max(seconds, 0), 86_400) / 4)
        state.withLock { $0.end = min($0.end, end) }
    }

    /// Called before each further attempt to take the lock; sleeps, because no event tells that another process has
    /// released it. Returns false to stop.
    func wait(attempt: Int32) -> Bool {
        let now = now()
        let goesOn = state.withLock { state in
            if attempt == 0 { state.start = now }
            if !state.isSpent { state.isSpent = now >= min(state.start + longest, state.end) }
            return !state.isSpent
        }
        if goesOn { pause(UInt32(min(1 << min(attempt, 4), 10))) }
        return goesOn
    }

    func succeeded() {
        state.withLock { $0.isSpent = false }
    }
}
