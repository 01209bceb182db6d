/// The numbers and wishes that a policy works with; the defaults are those of the requirements.
///
///     var configuration = PolicyConfiguration()
///     configuration.samplingRates.normal = 0.25
///     configuration.uploadsOnCellular = false
///
/// Values that would make worse conditions collect or send more are moved to the nearest that do not: see
/// ``bounded()``.
public struct PolicyConfiguration: Hashable, Sendable {
    /// The share of traces that is kept in each mode before the factors below; normal mode's is the base rate.
    public var samplingRates = ModeTable(full: 1, normal: 0.1, reduced: 0.05, minimal: 0)
    public var flushIntervals: ModeTable<Duration> = ModeTable(
        full: .seconds(15), normal: .seconds(30), reduced: .seconds(60), minimal: .seconds(120),
    )
    /// Frames a second of the session replay; 0 stops it.
    public var replayFrameRates = ModeTable(full: 4, normal: 2, reduced: 0.5, minimal: 0)

    /// Built-in memory in gigabytes from which a device counts as large.
    public var largeMemoryGB = 6.0
    /// Under this level a battery without external power is low.
    public var lowBatteryLevel = 0.2
    /// Under this level a battery without external power is nearly empty.
    public var criticalBatteryLevel = 0.1

    public var largeMemoryFactor = 1.5
    public var lowPowerModeFactor = 0.5
    /// For a thermal state of serious or critical.
    public var heatFactor = 0.25
    public var lowBatteryFactor = 0.5

    /// Whether telemetry may leave over paths that cost: cellular and personal hotspots.
    public var uploadsOnCellular = true
    /// For a collector on this very machine, which is reached without any network.
    public var isCollectorLocal = false

    /// How many breadcrumbs are kept while there is memory enough.
    public var breadcrumbLimit = 100
    /// How many frames of the replay a minute may have while there is memory enough; the default is 4 a second.
    public var replayFrameLimit = 240

    /// Passed on to the budget: see ``ResourceBudget/bytesPerHour``.
    public var bytesPerHour: Int?

    public init() {}

    /// The same with every value in its range, and every table falling (intervals: rising) from full to minimal.
    public func bounded() -> PolicyConfiguration {
        var bounded = self
        bounded.samplingRates = samplingRates.map(Self.share).ordered(min)
        bounded.flushIntervals = flushIntervals.map { max($0, .seconds(1)) }.ordered(max)
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

    /// Not a number counts as 0.
    private static func share(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
}

extension ModeTable {
    func map<Other>(_ transform: (Value) -> Other) -> ModeTable<Other> {
        ModeTable<Other>(
            full: transform(full), normal: transform(normal), reduced: transform(reduced), minimal: transform(minimal),
        )
    }
}
