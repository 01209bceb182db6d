package import AstrolabeDelivery
package import AstrolabeDeviceConditions
package import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
package import AstrolabeTelemetryModel
import Foundation

/// The description of the device that the SDK finds out itself.
enum DeviceResource {
    static func attributes(
        of device: DeviceContext, installationID: String, detectors: [ResourceDetector],
    ) -> Attributes {
        var attributes = Attributes(
            device.resourceAttributes.filter { key, _ in detector(of: key).map(detectors.contains) ?? true })
        for detector in detectors { detect(detector, device, &attributes) }
        attributes[AttributeKey.telemetrySDKName] = "astrolabe"
        attributes[AttributeKey.telemetrySDKLanguage] = "swift"
        attributes[AttributeKey.telemetrySDKVersion] = .string(SDKVersion.current)
        if !installationID.isEmpty { attributes[AttributeKey.appInstallationID] = .string(installationID) }
        return attributes
    }

    /// The one that finds out an attribute of the device's context; `nil` for those of the app.
    private static func detector(of key: String) -> ResourceDetector? {
        if key.hasPrefix("os.") { return .os }
        return key.hasPrefix("device.") || key.hasPrefix("astrolabe.device.") ? .device : nil
    }

    private static func detect(
        _ detector: ResourceDetector, _ device: DeviceContext, _ attributes: inout Attributes,
    ) {
        func set(_ key: String, _ text: String) {
            if !text.isEmpty { attributes[key] = .string(text) }
        }
        switch detector {
        case .device: break
        case .os:
            let system = SystemIdentity.current(of: device)
            set(AttributeKey.osDescription, system.description)
            set(AttributeKey.osBuildID, system.buildID)
        case .host: set(AttributeKey.hostArch, SystemIdentity.architecture ?? "")
        case .process:
            attributes[AttributeKey.processPID] = .int(Int64(ProcessInfo.processInfo.processIdentifier))
            set(AttributeKey.processExecutableName, executable)
        case .service: set(AttributeKey.serviceInstanceID, IDGenerator().nextUUID())
        }
    }

    private static var executable: String { ProcessInfo.processInfo.processName }

    /// The name of a service that the app does not name.
    static var unknownService: String {
        let name = TelemetryConfiguration.unknownService
        return executable.isEmpty ? name : "\(name):\(executable)"
    }

    #if canImport(Darwin)
    /// Apple's systems describe the device on the main thread. On another thread, where waiting for the main thread
    /// could block both, the result has only what any thread may read.
    static func context(version: String) -> DeviceContext {
        guard Thread.isMainThread else { return DeviceContext.currentOfAnyThread(appVersion: version) }
        return MainActor.assumeIsolated { DeviceContext.current(appVersion: version) }
    }
    #else
    static func context(version: String) -> DeviceContext { DeviceContext.current(appVersion: version) }
    #endif
}

/// The simulated device that this process runs on. It takes the place of the machine in each `Telemetry.start`.
///
/// The host of an app sets it before the app starts, so that the app's own configuration needs no change.
package struct SimulatedHost: Sendable {
    /// The conditions of an app that has not given its own.
    package var conditions: any ConditionsMonitor
    /// The device's resource attributes. The app's own win.
    package var resourceAttributes: Attributes
    /// The device's collector, where telemetry goes in place of the app's own; `nil` for the app's own.
    package var endpoint: OTLPEndpoint?
    /// The sessions that are sampled in, whatever the app's configuration says; `nil` for the app's own choice.
    package var sampling: Sampling?
    /// Makes the recorder of the replay, for an app that turns it on by a variable alone.
    package var screenRecorder: ScreenRecorderFactory?

    package init(
        conditions: any ConditionsMonitor, resourceAttributes: Attributes, endpoint: OTLPEndpoint?,
        sampling: Sampling? = nil, screenRecorder: ScreenRecorderFactory? = nil,
    ) {
        self.conditions = conditions
        self.resourceAttributes = resourceAttributes
        self.endpoint = endpoint
        self.sampling = sampling
        self.screenRecorder = screenRecorder
    }

    /// The device of this process. Default: `nil`, the machine itself.
    package static let current = Locked<SimulatedHost?>(nil)
}

extension TelemetryConfiguration {
    /// The configuration on a simulated device. A configuration without an endpoint still sends nothing.
    func hosted(on device: SimulatedHost) -> TelemetryConfiguration {
        var configuration = self
        configuration.conditions = conditions ?? device.conditions
        configuration.treatsLoopbackAsReachable = false
        configuration.sampling = device.sampling ?? sampling
        configuration.resourceAttributes = device.resourceAttributes.merging(resourceAttributes)
        configuration.screenRecorder = screenRecorder ?? device.screenRecorder
        if endpoint != nil, let collector = device.endpoint { configuration.endpoint = collector }
        return configuration
    }
}
