/// What Apple's systems say, as plain numbers and flags, in the words of this module.
///
/// Kept apart from the frameworks so that it is proven on every system. The numbers are the raw values of the
/// frameworks' enumerations, which are part of their binary interface.
package enum AppleMapping {
    package enum PathStatus: Sendable {
        case satisfied
        case unsatisfied
        /// No path yet, but a connection would bring one up, as a VPN on demand does.
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

    /// - Parameters:
    ///   - level: `UIDevice.batteryLevel`, -1 for unknown.
    ///   - state: `UIDevice.BatteryState`.
    package static func power(level: Float, state: Int, isLowPowerMode: Bool) -> Power {
        let source: Power.Source =
            switch state {
            case 1: .unplugged
            case 2: .charging
            case 3: .full
            default: .unknown
            }
        // In whole percents: a Float's 0.2 is a little more than a Double's.
        let percent = (Double(level) * 100).rounded()
        return Power(level: percent / 100, source: source, isLowPowerMode: isLowPowerMode)
    }

    /// - Parameter state: `ProcessInfo.ThermalState`. A hotter one than is known here counts as critical.
    package static func thermal(state: Int) -> ThermalState {
        switch state {
        case ...0: .nominal
        case 1: .fair
        case 2: .serious
        default: .critical
        }
    }

    /// - Parameter state: `UIApplication.State`. An app that is inactive when first asked is launching.
    package static func lifecycle(state: Int) -> LifecycleState {
        switch state {
        case 0: .active
        case 2: .background
        default: .launching
        }
    }

    /// - Parameter notification: The name of one of `UIApplication`'s notifications.
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

    /// The system's name as `UIDevice` tells it, which only the main thread may ask: that of a tablet is another.
    ///
    /// - Parameter model: Such as `iPad16,3`.
    package static func systemName(model: String) -> String { model.hasPrefix("iPad") ? "iPadOS" : "iOS" }

    /// The system's version as `UIDevice` tells it: without a last part that is 0.
    package static func systemVersion(major: Int, minor: Int, patch: Int) -> String {
        patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)"
    }

    /// - Parameter orientation: `UIDeviceOrientation`.
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

    /// The names of the notifications that ``lifecycle(after:)`` knows.
    package static let lifecycleNotifications = [
        "UIApplicationDidBecomeActiveNotification",
        "UIApplicationWillResignActiveNotification",
        "UIApplicationDidEnterBackgroundNotification",
        "UIApplicationWillEnterForegroundNotification",
        "UIApplicationWillTerminateNotification",
    ]
}
