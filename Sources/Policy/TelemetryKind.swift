/// The kind of a record, as the policy distinguishes them.
public enum TelemetryKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// Debug output. The session replay has the same priority but its own frame rate: see
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

    /// Returns whether records of this kind are kept in a mode. Errors and crashes are kept in every mode.
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
    /// If it belongs to a sampled trace.
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

/// The upload order of a record. The raw values are those of the journal and the queue.
public enum UploadPriority: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case low = 0
    case normal = 1
    case high = 2
    case critical = 3

    public static func < (left: UploadPriority, right: UploadPriority) -> Bool { left.rawValue < right.rawValue }
}
