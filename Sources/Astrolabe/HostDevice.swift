import AstrolabeDeviceConditions
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import Foundation

/// What the SDK finds out about where it runs.
enum HostDevice {
    static func attributes(of device: DeviceContext, installationID: String) -> Attributes {
        var attributes = Attributes(device.resourceAttributes)
        attributes[AttributeKey.telemetrySDKName] = "astrolabe"
        attributes[AttributeKey.telemetrySDKLanguage] = "swift"
        attributes[AttributeKey.telemetrySDKVersion] = .string(SDKVersion.current)
        if !installationID.isEmpty { attributes[AttributeKey.appInstallationID] = .string(installationID) }
        return attributes
    }

    #if canImport(Darwin)
    /// Apple's systems tell about the device on the main thread; elsewhere, where waiting for it could block both, only
    /// what any thread may know is told.
    static func context(version: String) -> DeviceContext {
        guard Thread.isMainThread else { return DeviceContext.currentOfAnyThread(appVersion: version) }
        return MainActor.assumeIsolated { DeviceContext.current(appVersion: version) }
    }
    #else
    static func context(version: String) -> DeviceContext { DeviceContext.current(appVersion: version) }
    #endif
}
