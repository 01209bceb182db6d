package import AstrolabePlatform

/// The conditions of the device that this process runs on.
package enum SystemConditions {
    /// A new monitor, not started; where the system tells nothing, one whose conditions stay neutral.
    ///
    /// - Parameter account: Where the work of watching is counted. Apple's systems do it in threads of their own.
    package static func makeMonitor(
        countedBy account: CPUTimeMeter = CPUTimeMeter()
    ) -> any ConditionsMonitor {
        #if canImport(Darwin)
        AppleConditionsMonitor()
        #elseif os(Linux) || os(Android)
        LinuxConditionsMonitor(account: account)
        #else
        SimulatedConditions()
        #endif
    }
}
