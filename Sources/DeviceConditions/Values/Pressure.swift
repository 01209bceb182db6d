/// The thermal state of the device, in the four levels of Apple platforms.
public enum ThermalState: String, Codable, Hashable, Sendable, CaseIterable {
    case nominal
    /// Slightly elevated; nothing is throttled yet.
    case fair
    /// The system throttles.
    case serious
    /// The system throttles heavily and needs the device to reduce its load immediately.
    case critical
}

/// The memory pressure of the system.
public enum MemoryPressure: String, Codable, Hashable, Sendable, CaseIterable {
    case normal
    case warning
    /// Processes are about to be ended.
    case critical
}

extension ThermalState: Comparable {
    /// A lower state is cooler.
    public static func < (left: ThermalState, right: ThermalState) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .nominal: 0
        case .fair: 1
        case .serious: 2
        case .critical: 3
        }
    }
}

extension MemoryPressure: Comparable {
    /// A lower level is less severe.
    public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .normal: 0
        case .warning: 1
        case .critical: 2
        }
    }
}
