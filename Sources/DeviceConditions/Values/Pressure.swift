/// How hot the device is, in the four steps that Apple's systems tell.
public enum ThermalState: String, Codable, Hashable, Sendable, CaseIterable {
    case nominal
    /// Slightly elevated; nothing is slowed yet.
    case fair
    /// The system slows things down.
    case serious
    /// The system slows everything down and needs the device to do less at once.
    case critical
}

/// How short of memory the system is.
public enum MemoryPressure: String, Codable, Hashable, Sendable, CaseIterable {
    case normal
    case warning
    /// Processes are about to be ended.
    case critical
}

extension ThermalState: Comparable {
    /// The lesser is the cooler.
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
    /// The lesser is the easier.
    public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .normal: 0
        case .warning: 1
        case .critical: 2
        }
    }
}
