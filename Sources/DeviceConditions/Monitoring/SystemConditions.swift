/// The conditions of the device that this process runs on.
package enum SystemConditions {
    /// A new monitor, not started; where the system tells nothing, one whose conditions stay neutral.
    package static func makeMonitor() -> any ConditionsMonitor {
        #if canImport(Darwin)
        AppleConditionsMonitor()
        #elseif os(Linux) || os(Android)
        LinuxConditionsMonitor()
        #else
        SimulatedConditions()
        #endif
    }
}
