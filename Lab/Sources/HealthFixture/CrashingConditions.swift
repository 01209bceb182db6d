import AstrolabeDeviceConditions

/// Conditions whose monitor crashes as soon as the SDK starts it.
struct CrashingConditions: ConditionsMonitor {
    let store = ConditionsStore(Conditions())

    func start() { CrashWays.end(by: "null-dereference") }
    func stop() {}
}
