import DeviceConditions

/// Decides which starts there were, from the start of the process, the app's life and its frames.
struct LaunchTracker: Hashable, Sendable {
    /// A start that a person has waited for, in nanoseconds since 1970.
    enum Launch: Hashable, Sendable {
        case cold(process: UInt64, sdk: UInt64, started: UInt64, firstFrame: UInt64)
        case warm(returned: UInt64, firstFrame: UInt64)
    }

    private enum State: Hashable {
        case starting(process: UInt64)
        case started(process: UInt64, sdk: UInt64, started: UInt64)
        case shown
        case away
        case returned(UInt64)
    }

    private var state: State
    /// Later than that, nobody has waited for the frame: nanoseconds.
    private static let coldLimit: UInt64 = 60_000_000_000
    private static let warmLimit: UInt64 = 5_000_000_000

    init(process: UInt64) {
        state = .starting(process: process)
    }

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
            guard now - min(process, now) < Self.coldLimit else { return nil }
            return .cold(process: min(process, sdk), sdk: sdk, started: started, firstFrame: max(now, started))
        case .returned(let time):
            state = .shown
            return now - min(time, now) < Self.warmLimit ? .warm(returned: time, firstFrame: max(now, time)) : nil
        }
    }
}
