public import Astrolabe
import AstrolabeSessionReplay
public import Foundation

/// The part of a launch that is the same on every platform.
///
///     @main
///     enum Launcher {
///         @MainActor static func main() throws {
///             _ = try ShopLaunch.prepare()
///             AstronomyShopApp.main()
///         }
///     }
public enum ShopLaunch {
    public static let name = "astronomy-shop"
    public static let version = "1.0.0"

    /// The default address of the shop: `./astrolabe shop-server` on this machine.
    public static var defaultShop: URL { URL(string: "http://127.0.0.1:8080") ?? URL(fileURLWithPath: "/") }

    /// Starts telemetry as configured in the bundle's `honeycomb.plist` and the environment, and prepares the app.
    ///
    /// - Parameters:
    ///   - shop: The shop's backend. Default: `API_ENDPOINT` of `honeycomb.plist`, or else ``defaultShop``.
    ///   - storage: The folder for the app's files. Default: the SDK's folder.
    ///   - phone: The device that telemetry reports. Default: the real device.
    ///   - conditions: Default: those of the system.
    @MainActor
    public static func prepare(
        shop: URL? = nil, storage: URL? = nil, phone: SimulatedPhone? = nil,
        configure: (inout TelemetryConfiguration) -> Void = { _ in },
    ) throws(ConfigurationError) -> Telemetry {
        let list = Bundle.main.url(forResource: "honeycomb", withExtension: "plist")
        let environment = ProcessInfo.processInfo.environment
        let overrides = { (configuration: inout TelemetryConfiguration) in
            if environment["OTEL_SERVICE_NAME", default: ""].isEmpty, list == nil { configuration.serviceName = name }
            configuration.serviceVersion = configuration.serviceVersion ?? version
            configuration.redaction.recordedQueryItems = ["currencyCode", "productIds", "contextKeys"]
            if environment["ASTROLABE_REPLAY", default: ""].isEmpty { configuration.replay.isEnabled = true }
            // Sends soon, but still follows the policy. `ASTROLABE_FLUSH_INTERVAL` overrides this.
            configuration.policy.flushIntervals.full = .seconds(1)
            configuration.policy.flushIntervals.normal = .seconds(1)
            if environment["OTEL_METRIC_EXPORT_INTERVAL", default: ""].isEmpty {
                configuration.metricInterval = .seconds(5)
            }
            if let phone { configuration.resourceAttributes.merge(phone.attributes) }
            configuration.storageDirectory = storage
            configure(&configuration)
        }
        let configuration =
            if let list {
                try TelemetryConfiguration.load(
                    propertyList: list, environment: environment, overrides: overrides)
            } else {
                try TelemetryConfiguration.load(environment: environment, overrides: overrides)
            }
        if list == nil, environment["OTEL_EXPORTER_OTLP_ENDPOINT", default: ""].isEmpty {
            configuration.onDiagnostic("The app has no honeycomb.plist. It starts with default settings.")
        }
        let telemetry = Telemetry.start(configuration)
        let backend = shop ?? list.flatMap(backend(inPropertyList:)) ?? defaultShop
        AstronomyShopApp.setUp(
            baseURL: backend, telemetry: telemetry,
            storage: storage ?? configuration.defaultStorageDirectory,
        )
        return telemetry
    }

    /// The shop's backend, `API_ENDPOINT` of `honeycomb.plist`; `nil` if the file does not name an HTTP address there.
    static func backend(inPropertyList file: URL) -> URL? {
        guard let data = try? Data(contentsOf: file),
            let entries = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
            let address = entries["API_ENDPOINT"] as? String, let url = URL(string: address),
            ["http", "https"].contains(url.scheme?.lowercased() ?? "")
        else { return nil }
        return url
    }
}
