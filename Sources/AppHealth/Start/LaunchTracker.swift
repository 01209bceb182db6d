import AstrolabeDeviceConditions

/// Decides which starts there were, from the start of the process, the app's life and its frames.
struct LaunchTracker: Hashable, Sendable {
    /// A start that a person has waited for, in nanoseconds since 1970.
    enum Launch: Hashable, Sendable {
        /// `process` is nil where that began before anybody asked for the app.
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
    /// Later than that, nobody has waited for the frame: nanoseconds.
    private static let coldLimit: UInt64 = 60_000_000_000
    private static let warmLimit: UInt64 = 5_000_000_000

    /// - Parameters:
    ///   - process: When the process began.
    ///   - prewarming: What the environment says under ``prewarmingVariable``.
    init(process: UInt64, prewarming: String? = nil) {
        state = .starting(process: prewarming == "1" ? nil : process)
    }

    /// Of the environment, where iOS 15 and later say `1` in a process that they have begun ahead of time, for an app
    /// that they expect to be asked for: the start of the process may lie hours before the person's tap.
    static let prewarmingVariable = "ActivePrewarm"

    mutating func finishStart(begunAt sdk: UInt64, at now: UInt64) {
        if case .starting(let process) = state { state = .started(process: process, sdk: sdk, started: now) }
    }

    /// A process that the system starts in the background is nothing that a person waits for.
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
