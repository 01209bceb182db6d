import Astrolabe
import AstrolabeDeviceConditions
import DeviceLink

/// The device's settings in the environment of the app.
struct HostSettings: Sendable {
    /// The path of the device's socket.
    let link: String
    /// The resource attributes of the device.
    let device: Attributes
    /// The identifier of the user's locale, such as "en_US".
    let locale: String
    /// The device's collector; `nil` if the environment names none.
    let endpoint: OTLPEndpoint?
    /// The sessions that are sampled in; `nil` leaves it to the app's configuration.
    let sampling: Sampling?
    /// The time that the app waits for the device's begin message. Default: 5 s.
    let beginTimeout: Duration
    /// The time that the app may take to send its last records. Default: 3.5 s.
    let sendTimeout: Duration

    /// - Throws: ``HostError`` if there is no device or a value is not valid, or the SDK's `ConfigurationError`.
    init(environment: [String: String]) throws {
        guard let link = environment["ASTROLABE_DEVICE_LINK"], !link.isEmpty else { throw HostError.noDevice }
        self.link = link
        let identifier = environment["ASTROLABE_DEVICE_MODEL"] ?? "iPhone17,3"
        guard identifier.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "," }) else {
            throw HostError(
                "ASTROLABE_DEVICE_MODEL: expected an identifier such as iPhone17,3; found \(identifier)")
        }
        let profile = DeviceProfile.of(model: identifier)
        let name = profile.system
        let version = environment["ASTROLABE_DEVICE_SYSTEM"] ?? "26.1"
        device = [
            AttributeKey.deviceManufacturer: "Apple",
            AttributeKey.deviceModelIdentifier: identifier,
            AttributeKey.deviceModelName: DeviceModelTable.name(of: identifier),
            AttributeKey.hostArch: "arm64",
            AttributeKey.osName: name,
            AttributeKey.osType: "darwin",
            AttributeKey.osVersion: version,
            AttributeKey.osDescription: "\(name) \(version)",
            "astrolabe.device.platform": "ios",
            "astrolabe.device.is_simulator": true,
            "astrolabe.device.physical_memory_gb": profile.memory,
            "astrolabe.device.screen.width": Double(profile.width),
            "astrolabe.device.screen.height": Double(profile.height),
            "astrolabe.device.screen.scale": Double(profile.scale),
            "astrolabe.simulated": true,
        ]
        locale = environment["ASTROLABE_DEVICE_LOCALE"] ?? "en_US"
        sampling = try Self.sampling(environment[SessionSampling.variable])
        let timeout = environment["ASTROLABE_DEVICE_TIMEOUT"].flatMap { Double($0) }
            .flatMap { $0 > 0 && $0 <= 86_400 ? $0 : nil }
        beginTimeout = .seconds(timeout ?? 5)
        sendTimeout = .seconds(timeout ?? 3.5)
        let hasCollector = environment["OTEL_EXPORTER_OTLP_ENDPOINT"].map { !$0.isEmpty } ?? false
        endpoint = hasCollector ? try TelemetryConfiguration.load(environment: environment).endpoint : nil
    }

    private static func sampling(_ text: String?) throws(HostError) -> Sampling? {
        guard let text, !text.isEmpty else { return nil }
        switch SessionSampling(rawValue: text) {
        case .automatic: return nil
        case .policy: return .policy
        case .everything: return .everything
        case .nothing: return .ratio(0)
        case nil:
            let names = SessionSampling.allCases.map(\.rawValue).joined(separator: ", ")
            throw HostError("\(SessionSampling.variable): expected one of \(names); found \(text)")
        }
    }
}

/// An error before the app's first screen.
struct HostError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The app was started by hand.
    static let noDevice = HostError(
        """
        this app runs on a simulated phone. Expected ASTROLABE_DEVICE_LINK in the environment; found none.
        Run it with: ./astrolabe demo --app PATH, or ./astrolabe simulate SCENARIO --app PATH
        """)
}
