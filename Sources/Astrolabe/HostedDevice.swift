package import AstrolabeDelivery
package import AstrolabeDeviceConditions
package import AstrolabePlatform
package import AstrolabeTelemetryModel

/// The simulated device that this process runs on. It takes the place of the machine in each `Telemetry.start`.
///
/// The host of an app sets it before the app starts, so that the app's own configuration needs no change.
package struct HostedDevice: Sendable {
    /// The conditions of an app that has not given its own.
    package var conditions: any ConditionsMonitor
    /// The device's resource attributes. The app's own win.
    package var resourceAttributes: Attributes
    /// The device's collector, where telemetry goes in place of the app's own; `nil` for the app's own.
    package var endpoint: OTLPEndpoint?
    /// Makes the recorder of the replay, for an app that turns it on by a variable alone.
    package var screenRecorder: ScreenRecorderFactory?

    package init(
        conditions: any ConditionsMonitor, resourceAttributes: Attributes, endpoint: OTLPEndpoint?,
        screenRecorder: ScreenRecorderFactory? = nil,
    ) {
        self.conditions = conditions
        self.resourceAttributes = resourceAttributes
        self.endpoint = endpoint
        self.screenRecorder = screenRecorder
    }

    /// The device of this process. Default: `nil`, the machine itself.
    package static let current = Locked<HostedDevice?>(nil)
}

extension TelemetryConfiguration {
    /// The configuration on a simulated device. A configuration without an endpoint still sends nothing.
    func hosted(on device: HostedDevice) -> TelemetryConfiguration {
        var configuration = self
        configuration.conditions = conditions ?? device.conditions
        configuration.treatsLoopbackAsReachable = false
        configuration.resourceAttributes = device.resourceAttributes.merging(resourceAttributes)
        configuration.screenRecorder = screenRecorder ?? device.screenRecorder
        if endpoint != nil, let collector = device.endpoint { configuration.endpoint = collector }
        return configuration
    }
}
