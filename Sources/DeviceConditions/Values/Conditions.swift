/// The state of the device at one moment: everything that changes and affects how much telemetry it can afford.
///
///     let conditions = monitor.current
///     if conditions.network.isOnline { ... }
///
/// Every part has a neutral value for "not known", so that parts a monitor cannot observe do not affect the policy.
/// ``DeviceContext`` contains what never changes while a process runs.
public struct Conditions: Equatable, Sendable {
    public var network: NetworkPath
    public var power: Power
    public var thermal: ThermalState
    public var memory: MemoryPressure
    public var lifecycle: LifecycleState
    /// The orientation of the device; the policy does not depend on it.
    package var orientation = DeviceContext.Orientation.unknown

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
    /// Decodes conditions; missing parts have their neutral values, so that scripts can omit them.
    public init(from decoder: any Decoder) throws {
        self.init()
        let update = try ConditionsUpdate(from: decoder)
        network = update.network ?? network
        power = update.power ?? power
        thermal = update.thermal ?? thermal
        memory = update.memory ?? memory
        lifecycle = update.lifecycle ?? lifecycle
        orientation = update.orientation ?? orientation
    }
}

/// New values for some parts of the conditions; parts that are `nil` do not change.
///
/// Monitors publish updates, scripts consist of them, and the simulator's connection transmits them.
public struct ConditionsUpdate: Codable, Equatable, Sendable {
    public var network: NetworkPath?
    public var power: Power?
    public var thermal: ThermalState?
    public var memory: MemoryPressure?
    /// Reached through legal steps only, as an operating system takes them.
    public var lifecycle: LifecycleState?
    package var orientation: DeviceContext.Orientation?

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

    /// Returns the states that the conditions pass through when this update is applied, without repetition.
    ///
    /// First all parts except the lifecycle change together, followed by one state for each step of the lifecycle. An
    /// unreachable lifecycle state is ignored.
    package func states(from start: Conditions) -> [Conditions] {
        var states: [Conditions] = []
        var next = start
        next.network = network ?? start.network
        next.power = power ?? start.power
        next.thermal = thermal ?? start.thermal
        next.memory = memory ?? start.memory
        next.orientation = orientation ?? start.orientation
        if next != start { states.append(next) }
        for step in lifecycle.flatMap(start.lifecycle.steps(to:)) ?? [] {
            next.lifecycle = step.to
            states.append(next)
        }
        return states
    }
}
