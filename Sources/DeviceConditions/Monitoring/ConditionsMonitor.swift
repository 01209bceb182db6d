/// A source of the current device conditions and their changes.
///
///     let monitor = SystemConditions.makeMonitor()
///     monitor.start()
///     for await conditions in monitor.changes() { apply(policy.decision(for: conditions, on: device)) }
///
/// There are implementations for Apple platforms and, in `AstrolabeLinux`, for Linux, and `SimulatedConditions`. A
/// custom one needs a store, to which it applies updates between `start()` and `stop()`.
public protocol ConditionsMonitor: Sendable {
    /// The store that this monitor publishes to.
    var store: ConditionsStore { get }

    /// Reads the conditions immediately, so that `current` is up to date on return, and starts monitoring.
    ///
    /// Does nothing if it is already started.
    func start()

    /// Stops monitoring and ends the sequences of `changes()`; it can be started again.
    func stop()
}

extension ConditionsMonitor {
    public var current: Conditions { store.current }

    /// The current conditions, followed by each change: see ``ConditionsStore/changes()``.
    public func changes() -> ConditionsChanges { store.changes() }

    /// Calls the handler for every change until the result is cancelled or released: see
    /// ``ConditionsStore/observe(_:)``.
    public func observe(_ handler: @escaping @Sendable (ConditionsChange) -> Void) -> ConditionsObservation {
        store.observe(handler)
    }

    /// Reports a lifecycle state that the monitor cannot observe, such as that of a Linux process.
    public func moveLifecycle(to state: LifecycleState) {
        store.apply(ConditionsUpdate(lifecycle: state))
    }
}

/// Two different, consecutive conditions.
public struct ConditionsChange: Equatable, Sendable {
    public let previous: Conditions
    public let current: Conditions

    package init(previous: Conditions, current: Conditions) {
        self.previous = previous
        self.current = current
    }

    /// The step of the lifecycle, where that is what changed.
    public var lifecycle: LifecycleTransition? {
        previous.lifecycle == current.lifecycle
            ? nil : LifecycleTransition(from: previous.lifecycle, to: current.lifecycle)
    }
}
