/// The conditions of the device that runs this process.
package enum SystemConditions {
    /// Creates a monitor that is not started. Its conditions stay neutral except on Apple platforms, because no phone
    /// runs plain Linux. `AstrolabeLinux` has a monitor for an app that does.
    package static func makeMonitor() -> any ConditionsMonitor {
        #if canImport(Darwin)
        AppleConditionsMonitor()
        #else
        SimulatedConditions()
        #endif
    }
}
