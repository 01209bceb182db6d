import AstrolabeDeviceConditions

/// Determines app starts from the process start, lifecycle changes and frames.
struct LaunchTracker: Hashable, Sendable {
    /// A start that the user waited for, in nanoseconds since 1970.
    enum Launch: Hashable, Sendable {
        /// `process` is `nil` if the system prewarmed the process.
        case cold(process: UInt64?, sdk: UInt64, started: UInt64, firstFrame: UInt64)
        case warm(returned: UInt64, firstFrame: UInt64)
    }

    private enum State: Hashable {
        case starting(process: UInt64?)
        case started(process: UInt64?, sdk: UInt64, started: UInt64)
        case shown
        case away
        case returned(UInt64)
    }

    private var state: State
    /// Nanoseconds after which a first frame no longer counts as part of a start.
    private static let coldLimit: UInt64 = 60_000_000_000
    private static let warmLimit: UInt64 = 5_000_000_000

    /// Creates a tracker.
    ///
    /// - Parameters:
    ///   - process: When the process began.
    ///   - prewarming: The value of the environment variable ``prewarmingVariable``.
    init(process: UInt64, prewarming: String? = nil) {
        state = .starting(process: prewarming == "1" ? nil : process)
    }

    /// The environment variable that iOS 15 and later set to `1` in a prewarmed process, which may have started hours
    /// before the user's tap.
    static let prewarmingVariable = "ActivePrewarm"

    mutating func finishStart(begunAt sdk: UInt64, at now: UInt64) {
        if case .starting(let process) = state { state = .started(process: process, sdk: sdk, started: now) }
    }

    /// Updates the lifecycle state. The user does not wait for a process that starts in the background.
    mutating func move(to lifecycle: LifecycleState, at now: UInt64) {
        switch lifecycle {
        case .background, .suspended: state = .away
        case .active, .inactive: if case .away = state { state = .returned(now) }
        case .launching, .terminated: break
        }
    }

    mutating func showFrame(at now: UInt64) -> Launch? {
        switch state {
        case .starting, .shown, .away: return nil
        case .started(let process, let sdk, let started):
            state = .shown
            let began = min(process ?? sdk, sdk)
            guard now - min(began, now) < Self.coldLimit else { return nil }
            return .cold(
                process: process == nil ? nil : began, sdk: sdk, started: started, firstFrame: max(now, started), )
        case .returned(let time):
            state = .shown
            return now - min(time, now) < Self.warmLimit ? .warm(returned: time, firstFrame: max(now, time)) : nil
        }
    }
}
