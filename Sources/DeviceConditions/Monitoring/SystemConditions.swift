package import AstrolabePlatform

/// The conditions of the device that runs this process.
package enum SystemConditions {
    /// Creates a monitor that is not started; its conditions stay neutral on systems without support.
    ///
    /// - Parameter account: The meter for the monitor's CPU time. Apple platforms monitor in threads of their own.
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
