/// Something that knows the conditions and says when they change.
///
///     let monitor = SystemConditions.makeMonitor()
///     monitor.start()
///     for await conditions in monitor.changes() { apply(policy.decision(for: conditions, on: device)) }
///
/// There is one for Apple's systems, one for Linux, and ``SimulatedConditions``. An own one needs a board, and to
/// apply updates to it between `start()` and `stop()`.
public protocol ConditionsMonitor: Sendable {
    /// Where this monitor publishes.
    var board: ConditionsStore { get }

    /// Reads what can be read at once, so that `current` is true on return, and watches from then on.
    ///
    /// Does nothing where it was started before.
    func start()

    /// Stops watching and ends the sequences of ``changes()``; may be started again.
    func stop()
}

extension ConditionsMonitor {
    public var current: Conditions { board.current }

    /// The conditions of the moment, then those of each later moment: see ``ConditionsStore/changes()``.
    public func changes() -> ConditionsChanges { board.changes() }

    /// Calls back for every change until the result is cancelled or released: see ``ConditionsStore/observe(_:)``.
    public func observe(_ handler: @escaping @Sendable (ConditionsChange) -> Void) -> ConditionsObservation {
        board.observe(handler)
    }

    /// Tells the monitor what it cannot see itself: on Linux the process's own life.
    public func moveLifecycle(to state: LifecycleState) {
        board.apply(ConditionsUpdate(lifecycle: state))
    }
}

/// Two different conditions, one directly after the other.
public struct ConditionsChange: Hashable, Sendable {
    public let previous: Conditions
    public let current: Conditions

    /// The step of the lifecycle, where that is what changed.
    public var lifecycle: LifecycleTransition? {
        previous.lifecycle == current.lifecycle
            ? nil : LifecycleTransition(from: previous.lifecycle, to: current.lifecycle)
    }
}
