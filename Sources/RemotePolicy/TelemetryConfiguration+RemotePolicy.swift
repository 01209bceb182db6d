public import Astrolabe

extension TelemetryConfiguration {
    /// Remote policy: what is collected and sent changes without a release. Default `nil`: it does not. A server
    /// ignores it.
    ///
    ///     configuration.remotePolicy = RemotePolicyConfiguration(endpoint: url, publicKey: key)
    public var remotePolicy: RemotePolicyConfiguration? {
        get { policyFollower?.settings as? RemotePolicyConfiguration }
        set {
            policyFollower = newValue.map { settings in
                PolicyFollowerFactory(settings: settings) { RemotePolicyClient(settings, in: $0) }
            }
        }
    }
}

extension Telemetry {
    /// The state of remote policy; `nil` if the configuration does not ask for it, and while consent is denied.
    public var remotePolicyReport: RemotePolicyReport? { (policyFollower as? RemotePolicyClient)?.report }
}
