/// What a record is about, as far as the policy tells records apart.
public enum TelemetryKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// Debug output. The replay, which has the priority of it, has a frame rate of its own: see
    /// ``PolicyDecision/replayFrameRate``.
    case debug
    /// Ordinary events.
    case info
    case metric
    /// Spans.
    case trace
    /// Errors and hangs.
    case error
    case crash

    public var priority: UploadPriority {
        switch self {
        case .debug: .low
        case .info, .metric, .trace: .normal
        case .error: .high
        case .crash: .critical
        }
    }

    /// Whether records of this kind are kept in a mode. Errors and crashes are kept in every mode.
    ///
    /// | kind | full | normal | reduced | minimal |
    /// |---|---|---|---|---|
    /// | crash, error | always | always | always | always |
    /// | trace | if sampled | if sampled | if sampled | never |
    /// | metric, info, debug | always | always | never | never |
    public func admission(in mode: TelemetryMode) -> Admission {
        switch (self, mode) {
        case (.crash, _), (.error, _): .always
        case (_, .minimal): .never
        case (.trace, _): .ifSampled
        case (_, .reduced): .never
        case (_, .full), (_, .normal): .always
        }
    }
}

/// Whether a record is kept.
public enum Admission: String, Codable, Hashable, Sendable, CaseIterable {
    case always
    /// If it belongs to a trace that is sampled.
    case ifSampled
    case never

    public func admits(isSampled: Bool) -> Bool {
        switch self {
        case .always: true
        case .ifSampled: isSampled
        case .never: false
        }
    }
}

/// Which record goes first. The numbers are those of the journal and the queue.
public enum UploadPriority: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case low = 0
    case normal = 1
    case high = 2
    case critical = 3

    public static func < (left: UploadPriority, right: UploadPriority) -> Bool { left.rawValue < right.rawValue }
}
