#if canImport(Darwin)
import Darwin
import Foundation

#if os(iOS)
import UIKit
#endif

extension DeviceContext {
    /// The current context of this device and app. Empty versions are read from the main bundle.
    @MainActor
    package static func current(appVersion: String = "", buildNumber: String = "") -> DeviceContext {
        var context = currentOfAnyThread(appVersion: appVersion, buildNumber: buildNumber)
        context.addScreenAndBattery()
        return context
    }

    /// The current context without screen, battery and orientation, which only the main thread can read.
    package static func currentOfAnyThread(appVersion: String = "", buildNumber: String = "") -> DeviceContext {
        let process = ProcessInfo.processInfo
        let bundle = Bundle.main.infoDictionary ?? [:]
        let version = process.operatingSystemVersion
        let model = process.environment["SIMULATOR_MODEL_IDENTIFIER"] ?? modelIdentifier
        return DeviceContext(
            platform: platform,
            osName: systemName(model: model),
            osVersion: AppleMapping.systemVersion(
                major: version.majorVersion, minor: version.minorVersion, patch: version.patchVersion),
            manufacturer: "Apple",
            deviceModelRaw: model,
            isSimulator: process.environment["SIMULATOR_DEVICE_NAME"] != nil,
            processorCount: process.processorCount,
            physicalMemoryGB: Double(process.physicalMemory) / 1_073_741_824,
            power: Power(isLowPowerMode: process.isLowPowerModeEnabled),
            thermalState: AppleMapping.thermal(state: process.thermalState.rawValue),
            locale: Locale.current.identifier,
            timezone: TimeZone.current.identifier,
            appVersion: appVersion.isEmpty ? bundle["CFBundleShortVersionString"] as? String ?? "" : appVersion,
            buildNumber: buildNumber.isEmpty ? bundle["CFBundleVersion"] as? String ?? "" : buildNumber,
        )
    }

    private static var modelIdentifier: String {
        let name = AppleMapping.modelVariable(platform: platform)
        var size = 0
        guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: size)
        guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    #if os(iOS)
    #if targetEnvironment(macCatalyst)
    private static let platform = "maccatalyst"
    #else
    private static let platform = "ios"
    #endif

    private static func systemName(model: String) -> String {
        AppleMapping.systemName(platform: platform, model: model)
    }

    @MainActor
    private mutating func addScreenAndBattery() {
        let device = UIDevice.current
        let isMonitored = device.isBatteryMonitoringEnabled
        device.isBatteryMonitoringEnabled = true
        defer { device.isBatteryMonitoringEnabled = isMonitored }
        let screen = UIScreen.main
        let power = AppleMapping.power(
            level: device.batteryLevel,
            state: device.batteryState.rawValue,
            isLowPowerMode: isLowPowerMode,
        )
        screenSize = ScreenSize(width: Double(screen.bounds.width), height: Double(screen.bounds.height))
        screenScale = Double(screen.scale)
        batteryLevel = power.level
        batteryState = power.source
        orientation = AppleMapping.orientation(device.orientation.rawValue)
    }
    #else
    #if os(tvOS)
    private static let platform = "tvos"
    private static func systemName(model: String) -> String { "tvOS" }
    #elseif os(visionOS)
    private static let platform = "visionos"
    private static func systemName(model: String) -> String { "visionOS" }
    #else
    private static let platform = "macos"
    private static func systemName(model: String) -> String { "macOS" }
    #endif

    /// An Apple TV has no battery and no orientation, and the vision system no screen of its own.
    @MainActor
    private mutating func addScreenAndBattery() {}
    #endif
}
#endif
