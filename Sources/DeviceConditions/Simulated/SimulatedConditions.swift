/// Conditions set by hand, for the device simulator, for extensions, and for systems without a monitor.
///
///     let device = SimulatedConditions(Conditions(network: .wifi))
///     device.apply(ConditionsUpdate(network: .offline))
public final class SimulatedConditions: ConditionsMonitor {
    public let store: ConditionsStore

    public init(_ initial: Conditions = Conditions()) {
        store = ConditionsStore(initial)
    }

    /// Applies an update; returns false if the lifecycle state cannot be reached.
    @discardableResult
    public func apply(_ update: ConditionsUpdate) -> Bool { store.apply(update) }

    public func start() {}

    public func stop() { store.finish() }
}
