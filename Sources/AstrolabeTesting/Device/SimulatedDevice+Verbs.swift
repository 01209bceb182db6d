extension SimulatedDevice {
    /// In a lift, in airplane mode: there is no path.
    public func goOffline() { apply(ConditionsUpdate(network: .offline)) }

    /// There is a path again, or another one.
    ///
    ///     device.goOnline(over: NetworkPath(.cellular, radio: .edge, isConstrained: true))
    public func goOnline(over path: NetworkPath = .wifi) { apply(ConditionsUpdate(network: path)) }

    /// Takes the device off its charger, with so much left.
    ///
    /// - Parameter level: 0...1; `nil` for a system that does not tell.
    public func drainBattery(to level: Double?) {
        let isLowPowerMode = current.power.isLowPowerMode
        apply(ConditionsUpdate(power: Power(level: level, source: .unplugged, isLowPowerMode: isLowPowerMode)))
    }

    /// Charges at the level that the battery has.
    public func plugIn() { changePower { $0.source = .charging } }

    public func unplug() { changePower { $0.source = .unplugged } }

    public func setLowPowerMode(_ isOn: Bool) { changePower { $0.isLowPowerMode = isOn } }

    public func heatUp(to state: ThermalState = .serious) { apply(ConditionsUpdate(thermal: state)) }

    public func coolDown() { apply(ConditionsUpdate(thermal: .nominal)) }

    public func runShortOfMemory(_ pressure: MemoryPressure = .warning) { apply(ConditionsUpdate(memory: pressure)) }

    /// Turns the device.
    public func rotate(to orientation: DeviceContext.Orientation) {
        var update = ConditionsUpdate()
        update.orientation = orientation
        apply(update)
    }

    public func regainMemory() { apply(ConditionsUpdate(memory: .normal)) }

    /// Through `inactive`, as the system does it.
    ///
    /// Returns false where the app was terminated.
    @discardableResult
    public func enterBackground() -> Bool { apply(ConditionsUpdate(lifecycle: .background)) }

    /// Brings the app to the front, through `inactive` where it was in the background.
    ///
    /// Returns false where the app was terminated.
    @discardableResult
    public func enterForeground() -> Bool { apply(ConditionsUpdate(lifecycle: .active)) }

    /// The user, or the system, ends the app: nothing comes after.
    public func terminate() { apply(ConditionsUpdate(lifecycle: .terminated)) }

    private func changePower(_ change: (inout Power) -> Void) {
        var power = current.power
        change(&power)
        apply(ConditionsUpdate(power: power))
    }
}
