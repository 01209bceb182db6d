/// The way in which records leave the device, from the least to the most restrictive.
public enum UploadStrategy: String, Hashable, Sendable, CaseIterable {
    /// Every flush sends all pending records.
    case immediate
    /// Sent when a batch is full or has waited long enough, so that the radio wakes less often.
    case batched
    /// Kept until an unmetered network is available, such as Wi-Fi.
    case wifiOnly
    /// Kept on the device.
    case queued
}

extension UploadStrategy: Comparable {
    /// A lower strategy sends less.
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

/// An upload strategy, and whether critical records can be sent regardless of it.
public struct UploadPlan: Equatable, Sendable {
    public var strategy: UploadStrategy
    /// True if anything can be sent: there is a network path, and the app is not suspended.
    public var canSend: Bool
    /// True if a request may go on over an expensive path, such as cellular, if the path changes while it is sent. One
    /// with critical records alone always may. Default `true`.
    public var allowsExpensivePath = true
    /// True if a request may likewise go on over a constrained path, which is one in Low Data Mode. Default `true`.
    public var allowsConstrainedPath = true

    public init(_ strategy: UploadStrategy, canSend: Bool) {
        self.strategy = strategy
        self.canSend = canSend
    }

    /// Returns what to do with records of a priority. Critical ones are sent immediately if anything can be sent.
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

/// The action for a record that is ready to be sent.
public enum UploadAction: String, Hashable, Sendable, CaseIterable {
    case sendNow
    case batch
    case waitForWifi
    case queue
}
