/// How records leave the device, the most willing first.
public enum UploadStrategy: String, Codable, Hashable, Sendable, CaseIterable {
    /// Every flush sends all that waits.
    case immediate
    /// Sent when a batch is full or has waited long enough, so that the radio wakes up seldom.
    case batched
    /// Kept until there is a path that costs nothing, such as Wi-Fi.
    case wifiOnly
    /// Kept on the device.
    case queued
}

extension UploadStrategy: Comparable {
    /// The lesser sends less.
    public static func < (left: UploadStrategy, right: UploadStrategy) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .queued: 0
        case .wifiOnly: 1
        case .batched: 2
        case .immediate: 3
        }
    }
}

/// A strategy, and whether what is critical can leave in spite of it.
public struct UploadPlan: Hashable, Sendable {
    public var strategy: UploadStrategy
    /// Whether anything can be sent at all: there is a path, and the app runs.
    public var canSend: Bool

    public init(_ strategy: UploadStrategy, canSend: Bool) {
        self.strategy = strategy
        self.canSend = canSend
    }

    /// What to do with records of a priority: critical ones go at once wherever anything can.
    public func action(for priority: UploadPriority) -> UploadAction {
        if !canSend { return .queue }
        if priority == .critical { return .sendNow }
        switch strategy {
        case .immediate: return .sendNow
        case .batched: return .batch
        case .wifiOnly: return .waitForWifi
        case .queued: return .queue
        }
    }
}

/// What becomes of a record that is ready to leave.
public enum UploadAction: String, Codable, Hashable, Sendable, CaseIterable {
    case sendNow
    case batch
    case waitForWifi
    case queue
}
