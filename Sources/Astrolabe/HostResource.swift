import Foundation
import Semantics
import TelemetryModel

/// What the SDK finds out about where it runs, for the resource.
enum HostResource {
    static func attributes(installationID: String) -> Attributes {
        var attributes: Attributes = [
            AttributeKey.telemetrySDKName: "astrolabe",
            AttributeKey.telemetrySDKLanguage: "swift",
            AttributeKey.telemetrySDKVersion: .string(SDKVersion.current),
            AttributeKey.osName: .string(systemName),
            AttributeKey.osType: .string(systemType),
            AttributeKey.osVersion: .string(systemVersion),
        ]
        if !installationID.isEmpty { attributes[AttributeKey.appInstallationID] = .string(installationID) }
        return attributes
    }

    private static var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }

    #if os(iOS)
    private static let systemName = "iOS"
    private static let systemType = "darwin"
    #elseif os(macOS)
    private static let systemName = "macOS"
    private static let systemType = "darwin"
    #elseif os(Android)
    private static let systemName = "Android"
    private static let systemType = "linux"
    #else
    private static let systemName = "Linux"
    private static let systemType = "linux"
    #endif
}

/// The version of the SDK, by semantic versioning.
enum SDKVersion {
    static let current = "0.1.0"
}
