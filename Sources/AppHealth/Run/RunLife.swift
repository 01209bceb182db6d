import AstrolabeDeviceConditions

/// The facts stored about a run while it lives, so that the next run can determine why it ended.
struct RunLife: Equatable, Sendable {
    enum Action: Equatable, Sendable {
        case storeLifecycle(LifecycleState)
        case markClean
        /// The run continues although its end was announced.
        case unmarkClean
    }

    private var state = LifecycleState.launching
    private var isClean = false

    mutating func move(to state: LifecycleState) -> [Action] {
        guard state != self.state else { return [] }
        self.state = state
        if state == .terminated { return [.storeLifecycle(state)] + end() }
        guard isClean else { return [.storeLifecycle(state)] }
        isClean = false
        return [.unmarkClean, .storeLifecycle(state)]
    }

    mutating func end() -> [Action] {
        guard !isClean else { return [] }
        isClean = true
        return [.markClean]
    }
}
