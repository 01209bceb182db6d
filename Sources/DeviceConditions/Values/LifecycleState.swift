/// Where the app is in its life.
///
///     launching --> active <--> inactive <--> background <--> suspended
///         |                        ^              ^
///         +------------------------+--------------+         terminated: from everywhere
///
/// A terminated process does not come back; the next one starts at `launching`.
public enum LifecycleState: String, Codable, Hashable, Sendable, CaseIterable {
    case launching
    /// In front and receiving touches.
    case active
    /// In front, but something lies over it; also on the way in and out.
    case inactive
    case background
    /// In memory but not running; no code of the app sees this state, the simulator and the next run do.
    case suspended
    case terminated

    /// The states that may follow directly.
    public var successors: [LifecycleState] {
        switch self {
        case .launching: [.active, .inactive, .background, .terminated]
        case .active: [.inactive, .terminated]
        case .inactive: [.active, .background, .terminated]
        case .background: [.inactive, .suspended, .terminated]
        case .suspended: [.background, .terminated]
        case .terminated: []
        }
    }

    /// The shortest legal way to another state: empty where this is it, `nil` where none leads there.
    ///
    ///     LifecycleState.active.steps(to: .background)    // active to inactive, inactive to background
    ///
    /// Systems leave out notifications (a phone call in the app switcher, a test's script); the states between are
    /// passed through all the same, so that who observes sees every transition.
    public func steps(to target: LifecycleState) -> [LifecycleTransition]? {
        if self == target { return [] }
        var waysHere: [LifecycleState: LifecycleTransition] = [:]
        var frontier = [self]
        while !frontier.isEmpty, waysHere[target] == nil {
            var next: [LifecycleState] = []
            for state in frontier {
                for follower in state.successors where follower != self && waysHere[follower] == nil {
                    waysHere[follower] = LifecycleTransition(from: state, to: follower)
                    next.append(follower)
                }
            }
            frontier = next
        }
        var steps: [LifecycleTransition] = []
        var state = target
        while let step = waysHere[state] {
            steps.insert(step, at: 0)
            state = step.from
        }
        return steps.isEmpty ? nil : steps
    }
}

/// One legal step of the lifecycle.
public struct LifecycleTransition: Hashable, Sendable {
    public let from: LifecycleState
    public let to: LifecycleState

    /// The value of `ios.app.state` in the event `device.app.lifecycle`, or `nil` for a step it has no word for.
    public var appState: String? {
        switch (from, to) {
        case (_, .active): "active"
        case (.background, .inactive): "foreground"
        case (.active, .inactive): "inactive"
        case (.inactive, .background), (.launching, .background): "background"
        case (_, .terminated): "terminate"
        default: nil
        }
    }
}
