/// The parameters of a policy; the defaults are those of the requirements.
///
///     var configuration = PolicyConfiguration()
///     configuration.samplingRates.normal = 0.25
///     configuration.uploadsOnCellular = false
///
/// Values under which worse conditions would collect or send more are adjusted.
public struct PolicyConfiguration: Equatable, Sendable {
    /// The share of traces kept in each mode before the factors below; that of normal mode is the base rate.
    public var samplingRates = ModeTable(full: 1, normal: 0.1, reduced: 0.05, minimal: 0)
    /// The time between two flushes in each mode.
    public var flushIntervals: ModeTable<Duration> = ModeTable(
        full: .seconds(15), normal: .seconds(30), reduced: .seconds(60), minimal: .seconds(120),
    )
    /// The records that the modes `reduced` and `minimal` collect. Default `standard`.
    public var admission = Admission.standard
    /// Frames per second of the session replay; 0 stops it.
    public var replayFrameRates = ModeTable(full: 4, normal: 2, reduced: 0.5, minimal: 0)

    /// Installed memory in gigabytes from which a device counts as large. Default 6.
    package var largeMemoryGB = 6.0
    /// Below this level a battery without external power is low. Default 0.2.
    package var lowBatteryLevel = 0.2
    /// Below this level a battery without external power is critical. Default 0.1.
    package var criticalBatteryLevel = 0.1

    package var largeMemoryFactor = 1.5
    package var lowPowerModeFactor = 0.5
    /// Applies to the thermal states serious and critical.
    package var heatFactor = 0.25
    package var lowBatteryFactor = 0.5

    /// Lets telemetry use expensive networks: cellular and personal hotspots. Default true.
    /// `ASTROLABE_UPLOADS_ON_CELLULAR`: `on` or `off`.
    public var uploadsOnCellular = true
    /// True if the collector runs on this machine, so that no network is needed.
    package var isCollectorLocal = false

    /// Maximum breadcrumbs kept without memory pressure.
    package var breadcrumbLimit = 100
    /// Maximum replay frames per minute without memory pressure. Default 240: 4 per second.
    package var replayFrameLimit = 240

    /// Bytes that the SDK may send in an hour. Default `nil`: no limit.
    public var bytesPerHour: Int?

    /// The records that the modes `reduced` and `minimal` collect beside errors, crashes and sampled traces.
    public enum Admission: String, Hashable, Sendable, CaseIterable {
        /// Events and log lines of the app from severity info on, at low priority, and metrics, less often.
        case standard
        /// Nothing else: what the app logs is dropped and counted as not admitted.
        case strict
    }

    /// Creates the default configuration.
    public init() {}

    /// Returns a copy with every value in range and every table monotonic from full to minimal mode.
    package func bounded() -> PolicyConfiguration {
        var bounded = self
        bounded.samplingRates = samplingRates.map(Self.share).ordered(min)
        bounded.flushIntervals = flushIntervals.map { min(max($0, .seconds(1)), .seconds(86_400)) }.ordered(max)
        bounded.replayFrameRates = replayFrameRates.map { $0 > 0 ? min($0, 60) : 0 }.ordered(min)
        bounded.largeMemoryFactor = largeMemoryFactor >= 1 ? largeMemoryFactor : 1
        bounded.lowPowerModeFactor = Self.share(lowPowerModeFactor)
        bounded.heatFactor = Self.share(heatFactor)
        bounded.lowBatteryFactor = Self.share(lowBatteryFactor)
        bounded.lowBatteryLevel = Self.share(lowBatteryLevel)
        bounded.criticalBatteryLevel = min(Self.share(criticalBatteryLevel), bounded.lowBatteryLevel)
        bounded.breadcrumbLimit = max(0, breadcrumbLimit)
        bounded.replayFrameLimit = max(0, replayFrameLimit)
        return bounded
    }

    /// Bounds a value to 0...1; NaN becomes 0.
    private static func share(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
}

extension ModeTable {
    func map<Other>(_ transform: (Value) -> Other) -> ModeTable<Other> {
        ModeTable<Other>(
            full: transform(full), normal: transform(normal), reduced: transform(reduced), minimal: transform(minimal),
        )
    }
}
