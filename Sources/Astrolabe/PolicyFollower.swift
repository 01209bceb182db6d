package import AstrolabeDelivery
import AstrolabePlatform
package import AstrolabePolicy
import AstrolabeRecording
import AstrolabeSemantics
package import AstrolabeTelemetryModel
package import Foundation

/// Follows documents of remote policy: `AstrolabeRemotePolicy`, a product of its own that an app need not have.
package protocol PolicyFollower: Sendable {
    /// The document in force; at the start, the stored one.
    var policy: RemotePolicy? { get }

    /// Takes what a document acts on. Called once, before anything is flushed.
    func begin(_ actions: PolicyActions)

    /// Called after each flush that consent permits; returns immediately.
    func afterFlush(_ cause: FlushCause, hasDelivered: Bool)

    /// Sends, stores and changes nothing from now on. When it returns, nothing is being stored.
    func stop()
}

/// The actions by which a document of remote policy takes effect.
package struct PolicyActions: Sendable {
    /// Follows a document, or none, from now on.
    package var apply: @Sendable (RemotePolicy?) -> Void
    /// Asks the flight recorder to send what it has, for a reason.
    package var promote: @Sendable (_ reason: String) -> Void
    /// Sends a request as delivery sends its own; returns `nil` if nothing may be sent now.
    package var post: @Sendable (OTLPRequest) async -> SendResult?
    /// Returns true while the app is in the foreground, or may be.
    package var isInForeground: @Sendable () -> Bool

    package init(
        apply: @escaping @Sendable (RemotePolicy?) -> Void, promote: @escaping @Sendable (_ reason: String) -> Void,
        post: @escaping @Sendable (OTLPRequest) async -> SendResult?, isInForeground: @escaping @Sendable () -> Bool,
    ) {
        self.apply = apply
        self.promote = promote
        self.post = post
        self.isInForeground = isInForeground
    }
}

/// Makes the follower of a run. Only this value leads to the code of remote policy.
package struct PolicyFollowerFactory: Sendable {
    /// The run that a follower belongs to.
    package final class Run: Sendable {
        package let configuration: TelemetryConfiguration
        package let directory: URL
        package let installationID: String
        package let resource: Resource
        package let time: DeliveryTime

        init(
            configuration: TelemetryConfiguration, directory: URL, installationID: String, resource: Resource,
            time: DeliveryTime,
        ) {
            self.configuration = configuration
            self.directory = directory
            self.installationID = installationID
            self.resource = resource
            self.time = time
        }
    }

    /// The settings of the product.
    package let settings: any Sendable
    package let make: @Sendable (Run) -> any PolicyFollower

    package init(settings: any Sendable, make: @escaping @Sendable (Run) -> any PolicyFollower) {
        self.settings = settings
        self.make = make
    }
}

extension RunEnvironment {
    /// The place with the name of the stored document in its resource, and what follows documents in this run.
    func following(
        _ configuration: TelemetryConfiguration, time: DeliveryTime,
    ) -> (RunEnvironment, (any PolicyFollower)?) {
        guard !configuration.isServer, let factory = configuration.policyFollower else { return (self, nil) }
        let follower = factory.make(
            PolicyFollowerFactory.Run(
                configuration: configuration, directory: directory, installationID: installationID,
                resource: resource, time: time))
        guard let policy = follower.policy else { return (self, follower) }
        var attributes = resource.attributes
        attributes[AttributeKey.astrolabePolicyVersion] = .string(policy.hash)
        return (with(Resource(attributes: attributes)), follower)
    }
}

extension Telemetry {
    /// The follower of documents of remote policy; `nil` if there is none.
    package var policyFollower: (any PolicyFollower)? { run.withLock { $0?.follower } }

    /// The actions of remote policy on what runs.
    func policyActions(_ driver: PolicyController, _ delivery: DeliveryService) -> PolicyActions {
        PolicyActions(
            apply: { [weak driver] in driver?.setRemote($0) },
            promote: { [weak core] reason in
                if let core { core.keepRecording(.remote, at: core.clock.now, reason: reason) }
            },
            post: { [weak delivery] in await delivery?.post($0) },
            isInForeground: { [weak driver] in
                guard let state = driver?.monitor.current.lifecycle else { return false }
                return ![.background, .suspended, .terminated].contains(state)
            },
        )
    }
}

extension SessionSampler {
    /// Samples as the policy has decided.
    ///
    /// - Parameter fixedRate: The app's own share of sessions, whatever the device's conditions. A document's rate
    ///   takes its place, as it is. `nil` if there is none.
    func follow(_ decision: PolicyDecision, fixedRate: Double?) {
        update(
            rate: fixedRate.map { decision.remote?.rate(in: decision.mode) ?? $0 } ?? decision.samplingRate,
            by: decision.remote?.rateSource ?? "",
            isLimited: decision.mode == .minimal || decision.remote?.turnsOff(.spans) == true)
    }
}

extension RecorderTriggers {
    /// The triggers with the values that a remote document names.
    func following(_ remote: RemoteTriggers?) -> RecorderTriggers {
        guard let remote else { return self }
        var triggers = self
        triggers.crashes = remote.crashes ?? crashes
        triggers.hangs = remote.hangs ?? hangs
        triggers.runEnds = remote.runEnds ?? runEnds
        triggers.errors = remote.errors ?? errors
        triggers.failedRequests = remote.failedRequests ?? failedRequests
        triggers.slowSpans = remote.slowSpans ?? slowSpans
        triggers.limitPerHour = remote.limitPerHour ?? limitPerHour
        triggers.abandonedFlows = remote.flows?.map { Flow(from: $0.from, to: $0.to) } ?? abandonedFlows
        triggers.rules = remote.rules.map { Rule(span: $0.span, longerThan: $0.longerThan) }
        return triggers
    }
}
