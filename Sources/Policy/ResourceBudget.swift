/// The resources that the SDK may use.
///
/// | tier | CPU | memory | network |
/// |---|---|---|---|
/// | normal | 5 % of one core | 50 MB | any, Wi-Fi preferred |
/// | low power | 2 % | 20 MB | Wi-Fi only |
/// | critical | 1 % | 10 MB | crashes only |
///
/// There is no battery limit, because no system reports an app's share of the battery. CPU and radio usage stand in for
/// it.
public struct ResourceBudget: Equatable, Sendable {
    public enum Tier: String, Hashable, Sendable, CaseIterable {
        case normal
        /// Low Power Mode, a low battery without external power, or heat that slows the device down.
        case lowPower
        /// A critical battery without external power, or heat that may end the app.
        case critical
    }

    public enum NetworkUse: String, Hashable, Sendable, CaseIterable {
        case wifiPreferred
        case wifiOnly
        case criticalOnly
    }

    public var tier: Tier
    /// Share of one core, 0...1.
    public var cpuShare: Double
    public var memoryBytes: Int
    public var network: NetworkUse
    /// Maximum bytes sent per hour; `nil` if only the network rule limits them.
    public var bytesPerHour: Int?

    public init(_ tier: Tier, bytesPerHour: Int? = nil) {
        self.tier = tier
        self.bytesPerHour = bytesPerHour
        switch tier {
        case .normal: (cpuShare, memoryBytes, network) = (0.05, 50_000_000, .wifiPreferred)
        case .lowPower: (cpuShare, memoryBytes, network) = (0.02, 20_000_000, .wifiOnly)
        case .critical: (cpuShare, memoryBytes, network) = (0.01, 10_000_000, .criticalOnly)
        }
    }
}

extension ResourceBudget.Tier: Comparable {
    /// A lower tier allows less.
    public static func < (left: ResourceBudget.Tier, right: ResourceBudget.Tier) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .critical: 0
        case .lowPower: 1
        case .normal: 2
        }
    }
}
