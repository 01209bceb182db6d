import AstrolabeAppHealth
import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeSessions
import AstrolabeTelemetryModel
import Foundation

/// The parts that run from a start, or from a consent, until the shutdown or a refusal: identity, storage, delivery,
/// sessions, and the observers of the device.
final class RunningPipeline: Sendable {
    let place: RunEnvironment
    let tracker: SessionTracker?
    let delivery: DeliveryService?
    let driver: PolicyController?
    let health: HealthRecorder?
    /// Follows documents of remote policy; `nil` if the app does not.
    let follower: (any PolicyFollower)?
    /// The number in `RecordingPeriods` of its begin.
    let period: UInt64

    init(
        place: RunEnvironment, tracker: SessionTracker?, delivery: DeliveryService? = nil,
        driver: PolicyController? = nil, health: HealthRecorder? = nil, follower: (any PolicyFollower)? = nil,
        period: UInt64 = 0,
    ) {
        self.place = place
        self.tracker = tracker
        self.delivery = delivery
        self.driver = driver
        self.health = health
        self.follower = follower
        self.period = period
    }

    /// Ends the run. What was not sent stays in the folder.
    func end(sendingFor timeout: Duration?) async {
        follower?.stop()
        if timeout != nil { await health?.finish() } else { await health?.finishReporting() }
        driver?.stop()
        if let timeout { await delivery?.shutdown(within: timeout.seconds) } else { await delivery?.stop() }
        health?.end()
    }

    /// Stops storing and sending at once, from any thread. Waits only for a document of remote policy
    /// that is being stored.
    func abandon() {
        tracker?.forget()
        follower?.stop()
        delivery?.abandon()
    }

    /// Ends what was abandoned. It waits for closures of the app that are running, and before that ends what would
    /// record beside a run that begins meanwhile.
    func endAbandoned() async {
        driver?.stop()
        health?.end()
        await health?.finishReporting()
        await delivery?.stop()
    }
}

/// The resource of this process, and the folder for what must outlive a launch.
final class RunEnvironment: Sendable {
    let device: DeviceContext
    let directory: URL
    let installationID: String
    let resource: Resource

    init(_ configuration: TelemetryConfiguration, redactor: Redactor) {
        directory = configuration.folder
        if !configuration.isServer { StorageFolder.prepare(directory) }
        device = DeviceResource.context(version: configuration.serviceVersion ?? "")
        installationID =
            !configuration.isServer
            ? InstallationID.loadOrCreate(in: directory, makeID: IDGenerator().nextUUID) : ""
        resource = Self.resource(of: device, configuration, installationID: installationID, redactor)
    }

    /// The place of a run, without what was stored there before a consent or for another tenant.
    ///
    /// - Parameter since: When the user agreed after a refusal, in nanoseconds since 1970; 0 if never.
    static func claimed(
        by configuration: TelemetryConfiguration, store: ConsentStore, since: UInt64, redactor: Redactor,
    ) throws(SystemError) -> RunEnvironment {
        let report = configuration.onDiagnostic
        try store.claim(since: since, report: report)
        if let tenant = configuration.tenant {
            let mark = StorageMark(file: store.folder.appendingPathComponent("tenant"), subject: "tenant")
            let erase = {
                if PrivateFiles.names(in: store.folder.path).contains("journal") {
                    report(
                        "The tenant has changed. What was stored for another one, and was not sent, is deleted: "
                            + "records, reports of crashes, the session and the installation id.")
                }
                return store.erase(keepsMark: true)
            }
            try mark.claim(for: tenant, from: "what another tenant recorded", erase: erase, report: report)
        }
        return RunEnvironment(configuration, redactor: redactor)
    }

    private init(device: DeviceContext, directory: URL, installationID: String, resource: Resource) {
        self.device = device
        self.directory = directory
        self.installationID = installationID
        self.resource = resource
    }

    /// The same place with another resource.
    func with(_ resource: Resource) -> RunEnvironment {
        RunEnvironment(device: device, directory: directory, installationID: installationID, resource: resource)
    }

    static func resource(
        of device: DeviceContext, _ configuration: TelemetryConfiguration, installationID: String,
        _ redactor: Redactor,
    ) -> Resource {
        var attributes = DeviceResource.attributes(
            of: device, installationID: installationID, detectors: configuration.usedDetectors)
        attributes[AttributeKey.serviceName] = .string(DeviceResource.unknownService)
        if let version = configuration.serviceVersion {
            attributes[AttributeKey.serviceVersion] = .string(redactor.redacted(version))
        }
        attributes.merge(redactor.redacted(configuration.resourceAttributes))
        if configuration.serviceName != TelemetryConfiguration.unknownService, !configuration.serviceName.isEmpty {
            attributes[AttributeKey.serviceName] = .string(redactor.redacted(configuration.serviceName))
        }
        return Resource(attributes: attributes)
    }

    /// - Parameters:
    ///   - isLaunch: False if the user has refused since the process began.
    ///   - since: When the user last agreed after a refusal, in nanoseconds since 1970; 0 if never.
    func beginHealth(_ configuration: TelemetryConfiguration, isLaunch: Bool, since: UInt64) -> HealthRecorder? {
        let found = Attributes(device.resourceAttributes)
        func text(_ key: String) -> String { (resource.attributes[key] ?? found[key])?.stringValue ?? "" }
        let ids = IDGenerator()
        let identity = RunIdentity(
            runID: ids.nextUUID(), crashID: ids.nextUUID(), appVersion: text(AttributeKey.serviceVersion),
            appBuild: text(AttributeKey.astrolabeAppBuildNumber), osName: text(AttributeKey.osName),
            osVersion: text(AttributeKey.osVersion),
        )
        return HealthRecorder.begin(
            directory: directory.appendingPathComponent("health").path, identity: identity,
            settings: configuration.health, isLaunch: isLaunch, since: since,
            onDiagnostic: configuration.onDiagnostic,
        )
    }
}
