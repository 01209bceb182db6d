import Astrolabe
import AstronomyShop
import DeviceConditions
import Foundation

/// The part of a launch that is the same wherever the app runs.
enum ShopLaunch {
    static let name = "astronomy-shop"
    static let version = "1.0.0"

    /// Starts the telemetry and prepares the app.
    ///
    /// - Parameter conditions: nil for those of the system.
    @MainActor
    static func prepare(
        _ settings: AppSettings, conditions: SimulatedConditions? = nil,
    ) throws(ConfigurationError) -> Telemetry {
        let list = Bundle.main.url(forResource: "honeycomb", withExtension: "plist")
        let environment = ProcessInfo.processInfo.environment
        let configuration = try TelemetryConfiguration.load(propertyList: list, environment: environment) {
            configuration in
            if environment["OTEL_SERVICE_NAME", default: ""].isEmpty, list == nil { configuration.serviceName = name }
            configuration.serviceVersion = configuration.serviceVersion ?? version
            configuration.redaction.recordedQueryItems = ["currencyCode", "productIds", "contextKeys"]
            if environment["OTEL_TRACES_SAMPLER", default: ""].isEmpty {
                // A demonstration keeps everything.
                configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
            }
            if environment["ASTROLABE_REPLAY", default: ""].isEmpty { configuration.replay.isEnabled = true }
            // It shows at once what was done, but still spares a device that has to be spared; over both is
            // `ASTROLABE_FLUSH_INTERVAL`.
            configuration.policy.flushIntervals.full = .seconds(1)
            configuration.policy.flushIntervals.normal = .seconds(1)
            if environment["OTEL_METRIC_EXPORT_INTERVAL", default: ""].isEmpty { configuration.metricInterval = 5 }
            if let phone = settings.phone { configuration.resourceAttributes.merge(phone.attributes) }
            configuration.storageDirectory = settings.storage
            if let conditions {
                configuration.conditions = conditions
                configuration.isLoopbackAlwaysInReach = false
            }
        }
        let telemetry = Telemetry.start(configuration)
        let storage = settings.storage ?? configuration.defaultStorageDirectory
        AstronomyShopApp.setUp(baseURL: settings.shop, telemetry: telemetry, storage: storage)
        return telemetry
    }
}
