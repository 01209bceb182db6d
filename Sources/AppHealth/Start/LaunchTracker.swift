import AstrolabeDeviceConditions

/// Determines app starts from the process start, lifecycle changes and frames.
struct LaunchTracker: Equatable, Sendable {
    /// A start that the user waited for, in nanoseconds since 1970.
    enum Launch: Equatable, Sendable {
        case cold(process: UInt64, sdk: UInt64, started: UInt64, firstFrame: UInt64)
        /// A cold one of a process that the system prewarmed. What it did before the user's tap is no part of it.
        case prewarmed(launched: UInt64, firstFrame: UInt64)
        case warm(returned: UInt64, firstFrame: UInt64)
    }

    private enum State: Equatable {
        case starting(process: UInt64)
        case started(process: UInt64, sdk: UInt64, started: UInt64)
        case prewarmed
        case launched(UInt64)
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
        state = prewarming == "1" ? .prewarmed : .starting(process: process)
    }

    /// The tracker of a process whose start is not recorded, because the user refused at that time.
    static let unrecorded: LaunchTracker = {
        var tracker = LaunchTracker(process: 0)
        tracker.state = .shown
        return tracker
    }()

    /// The environment variable that iOS 15 and later set to `1` in a prewarmed process, which may have run up to
    /// `UIApplicationMain` hours before the user's tap.
    static let prewarmingVariable = "ActivePrewarm"

    /// The system prewarmed the process, and the app has not finished launching.
    var isPrewarmed: Bool { state == .prewarmed }

    mutating func finishStart(begunAt sdk: UInt64, at now: UInt64) {
        if case .starting(let process) = state { state = .started(process: process, sdk: sdk, started: now) }
    }

    /// The app has finished launching. In a prewarmed process, that follows the user's tap.
    mutating func finishLaunching(at now: UInt64) {
        if case .prewarmed = state { state = .launched(now) }
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
        case .starting, .prewarmed, .shown, .away: return nil
        case .started(let process, let sdk, let started):
            state = .shown
            let began = min(process, sdk)
            guard now - min(began, now) < Self.coldLimit else { return nil }
            return .cold(process: began, sdk: sdk, started: started, firstFrame: max(now, started))
        case .launched(let time):
            state = .shown
            guard now - min(time, now) < Self.coldLimit else { return nil }
            return .prewarmed(launched: time, firstFrame: max(now, time))
        case .returned(let time):
            state = .shown
            return now - min(time, now) < Self.warmLimit ? .warm(returned: time, firstFrame: max(now, time)) : nil
        }
    }
}
