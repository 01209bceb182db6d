/// What the device lives through at one moment: everything that changes and decides what telemetry it can afford.
///
///     let conditions = monitor.current
///     if conditions.network.isOnline { ... }
///
/// Every part has a neutral value that stands for "not known", so that a monitor which cannot see a part leaves the
/// policy unmoved by it. What never changes while a process runs is in ``DeviceContext``.
public struct Conditions: Hashable, Sendable {
    public var network: NetworkPath
    public var power: Power
    public var thermal: ThermalState
    public var memory: MemoryPressure
    public var lifecycle: LifecycleState

    public init(
        network: NetworkPath = .unknown,
        power: Power = .unknown,
        thermal: ThermalState = .nominal,
        memory: MemoryPressure = .normal,
        lifecycle: LifecycleState = .launching,
    ) {
        self.network = network
        self.power = power
        self.thermal = thermal
        self.memory = memory
        self.lifecycle = lifecycle
    }
}

extension Conditions: Codable {
    /// Parts that are missing get their neutral value, so that a script by hand names only what it is about.
    public init(from decoder: any Decoder) throws {
        self.init()
        let update = try ConditionsUpdate(from: decoder)
        network = update.network ?? network
        power = update.power ?? power
        thermal = update.thermal ?? thermal
        memory = update.memory ?? memory
        lifecycle = update.lifecycle ?? lifecycle
    }
}

/// New values for some parts of the conditions; a part that is `nil` stays as it is.
///
/// The unit that monitors publish, scripts are written in and the simulator's link carries.
public struct ConditionsUpdate: Codable, Hashable, Sendable {
    public var network: NetworkPath?
    public var power: Power?
    public var thermal: ThermalState?
    public var memory: MemoryPressure?
    /// Reached by legal steps only: see ``LifecycleState/steps(to:)``.
    public var lifecycle: LifecycleState?

    public init(
        network: NetworkPath? = nil,
        power: Power? = nil,
        thermal: ThermalState? = nil,
        memory: MemoryPressure? = nil,
        lifecycle: LifecycleState? = nil,
    ) {
        self.network = network
        self.power = power
        self.thermal = thermal
        self.memory = memory
        self.lifecycle = lifecycle
    }

    /// The states that the conditions pass through when this is applied, in order and without repetition.
    ///
    /// First the parts that may jump, all at once; then one state for each step of the lifecycle. A lifecycle that
    /// cannot be reached is left out.
    package func states(from start: Conditions) -> [Conditions] {
        var states: [Conditions] = []
        var next = start
        next.network = network ?? start.network
        next.power = power ?? start.power
        next.thermal = thermal ?? start.thermal
        next.memory = memory ?? start.memory
        if next != start { states.append(next) }
        for step in lifecycle.flatMap(start.lifecycle.steps(to:)) ?? [] {
            next.lifecycle = step.to
            states.append(next)
        }
        return states
    }
}
