/// The lifecycle state of the app.
///
///     launching --> active <--> inactive <--> background <--> suspended
///         |                        ^              ^
///         +------------------------+--------------+         terminated: from everywhere
///
/// A terminated process does not continue; the next one starts at `launching`.
public enum LifecycleState: String, Codable, Hashable, Sendable, CaseIterable {
    /// The process has started and shows nothing yet.
    case launching
    /// In the foreground and receiving touches.
    case active
    /// In the foreground but not receiving touches, for example under an alert or during a transition.
    case inactive
    /// The app runs without being visible.
    case background
    /// In memory but not running. The app's code never observes this state; the simulator and the next run do.
    case suspended
    /// The app has ended.
    case terminated

    /// The states that may follow directly.
    package var successors: [LifecycleState] {
        switch self {
        case .launching: [.active, .inactive, .background, .terminated]
        case .active: [.inactive, .terminated]
        case .inactive: [.active, .background, .terminated]
        case .background: [.inactive, .suspended, .terminated]
        case .suspended: [.background, .terminated]
        case .terminated: []
        }
    }

    /// Returns the shortest legal path to another state: empty if this is it, `nil` if there is none.
    ///
    ///     LifecycleState.active.steps(to: .background)    // active to inactive, inactive to background
    ///
    /// Systems and test scripts may omit intermediate states. These are passed through nevertheless, so that observers
    /// see every transition.
    package func steps(to target: LifecycleState) -> [LifecycleTransition]? {
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

    /// True if the app comes to the foreground.
    package var entersForeground: Bool {
        (to == .active || to == .inactive) && from != .active && from != .inactive
    }

    /// The value of `ios.app.state` in the event `device.app.lifecycle`; `nil` if the conventions define none.
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
