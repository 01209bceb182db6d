/// Maps plain values of Apple's frameworks to the types of this module.
///
/// Independent of the frameworks, so that tests run on every system. The numbers are the raw values of the frameworks'
/// enumerations, which are part of their binary interface.
package enum AppleMapping {
    package enum PathStatus: Sendable {
        case satisfied
        case unsatisfied
        /// No path yet, but a connection would establish one, such as a VPN on demand.
        case requiresConnection
    }

    package static func network(
        status: PathStatus,
        usesWifi: Bool,
        usesCellular: Bool,
        usesEthernet: Bool,
        isExpensive: Bool,
        isConstrained: Bool,
        radioTechnology: String?,
    ) -> NetworkPath {
        if status == .unsatisfied { return .offline }
        let medium: NetworkPath.Medium =
            if usesWifi { .wifi } else if usesCellular { .cellular } else if usesEthernet { .ethernet } else {
                .unknown
            }
        return NetworkPath(
            medium,
            radio: medium == .cellular ? radioTechnology.flatMap(RadioTechnology.init(coreTelephony:)) : nil,
            isExpensive: isExpensive,
            isConstrained: isConstrained,
        )
    }

    /// Maps the battery's state.
    ///
    /// - Parameters:
    ///   - level: `UIDevice.batteryLevel`, -1 for unknown.
    ///   - state: The raw value of `UIDevice.BatteryState`.
    ///   - isLowPowerMode: Whether Low Power Mode is on.
    package static func power(level: Float, state: Int, isLowPowerMode: Bool) -> Power {
        let source: Power.Source =
            switch state {
            case 1: .unplugged
            case 2: .charging
            case 3: .full
            default: .unknown
            }
        // Rounded to whole percents, because 0.2 as a Float is slightly larger than as a Double.
        let percent = (Double(level) * 100).rounded()
        return Power(level: percent / 100, source: source, isLowPowerMode: isLowPowerMode)
    }

    /// Maps a thermal state; unknown hotter states count as critical.
    ///
    /// - Parameter state: The raw value of `ProcessInfo.ThermalState`.
    package static func thermal(state: Int) -> ThermalState {
        switch state {
        case ...0: .nominal
        case 1: .fair
        case 2: .serious
        default: .critical
        }
    }

    /// Maps the initial application state: an app that is inactive at the first read is launching.
    ///
    /// - Parameter state: The raw value of `UIApplication.State`.
    package static func lifecycle(state: Int) -> LifecycleState {
        switch state {
        case 0: .active
        case 2: .background
        default: .launching
        }
    }

    /// Returns the lifecycle state after a notification.
    ///
    /// - Parameter notification: The name of a `UIApplication` notification.
    package static func lifecycle(after notification: String) -> LifecycleState? {
        switch notification {
        case "UIApplicationDidBecomeActiveNotification": .active
        case "UIApplicationWillResignActiveNotification": .inactive
        case "UIApplicationDidEnterBackgroundNotification": .background
        case "UIApplicationWillEnterForegroundNotification": .inactive
        case "UIApplicationWillTerminateNotification": .terminated
        default: nil
        }
    }

    /// Returns the system's name as `UIDevice` reports it on the main thread; it differs for tablets.
    ///
    /// - Parameters:
    ///   - platform: That of the device context: an app of Mac Catalyst runs on macOS.
    ///   - model: The model identifier, such as `iPad16,3`.
    package static func systemName(platform: String, model: String) -> String {
        if platform == "maccatalyst" { return "macOS" }
        return model.hasPrefix("iPad") ? "iPadOS" : "iOS"
    }

    /// The kernel's variable that names the model. On a Mac, `hw.machine` is the processor's architecture.
    package static func modelVariable(platform: String) -> String {
        ["macos", "maccatalyst"].contains(platform) ? "hw.model" : "hw.machine"
    }

    /// Returns the system's version as `UIDevice` reports it: without a trailing 0.
    package static func systemVersion(major: Int, minor: Int, patch: Int) -> String {
        patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)"
    }

    /// Maps an orientation.
    ///
    /// - Parameter orientation: The raw value of `UIDeviceOrientation`.
    package static func orientation(_ orientation: Int) -> DeviceContext.Orientation {
        switch orientation {
        case 1: .portrait
        case 2: .portraitUpsideDown
        case 3: .landscapeLeft
        case 4: .landscapeRight
        case 5: .faceUp
        case 6: .faceDown
        default: .unknown
        }
    }

    /// The names of the notifications that ``lifecycle(after:)`` maps.
    package static let lifecycleNotifications = [
        "UIApplicationDidBecomeActiveNotification",
        "UIApplicationWillResignActiveNotification",
        "UIApplicationDidEnterBackgroundNotification",
        "UIApplicationWillEnterForegroundNotification",
        "UIApplicationWillTerminateNotification",
    ]
}
