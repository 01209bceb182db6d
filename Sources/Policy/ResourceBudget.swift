/// What the SDK may take of the device.
///
/// | tier | CPU | memory | network |
/// |---|---|---|---|
/// | normal | 5 % of one core | 50 MB | any, Wi-Fi preferred |
/// | low power | 2 % | 20 MB | Wi-Fi only |
/// | critical | 1 % | 10 MB | crashes only |
///
/// No system tells an app what share of the battery it took, so there is no limit on that: the processor and the radio,
/// which are what takes it, stand for it.
public struct ResourceBudget: Hashable, Sendable {
    public enum Tier: String, Codable, Hashable, Sendable, CaseIterable {
        case normal
        /// Low Power Mode or a low battery without external power, or heat that slows the device down.
        case lowPower
        /// A nearly empty battery without external power, or heat that may end the app.
        case critical
    }

    public enum NetworkUse: String, Codable, Hashable, Sendable, CaseIterable {
        case wifiPreferred
        case wifiOnly
        case criticalOnly
    }

    public var tier: Tier
    /// Of one core, 0...1.
    public var cpuShare: Double
    public var memoryBytes: Int
    public var network: NetworkUse
    /// Sent in an hour at most; `nil` for as much as the network rule lets through.
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
    /// The lesser allows less.
    public static func < (left: ResourceBudget.Tier, right: ResourceBudget.Tier) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .critical: 0
        case .lowPower: 1
        case .normal: 2
        }
    }
}
