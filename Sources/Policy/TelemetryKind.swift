/// The kind of a record, as the policy distinguishes them.
public enum TelemetryKind: String, Hashable, Sendable, CaseIterable {
    /// Debug output. The session replay has the same priority but its own frame rate: see
    /// ``PolicyDecision/replayFrameRate``.
    case debug
    /// Ordinary events, of severity info and warn.
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
    /// | metric | always | always | less often | less often |
    /// | info of the app | always | always | at low priority | at low priority |
    /// | info of the SDK, debug | always | always | never | never |
    ///
    /// Under the rule `strict`, the modes reduced and minimal keep neither metrics nor info.
    ///
    /// - Parameter isOfApp: Whether the app recorded it, and not the SDK's own instrumentation.
    package func admission(
        in mode: TelemetryMode, _ rule: PolicyConfiguration.Admission = .standard, isOfApp: Bool = false,
    ) -> KindAdmission {
        switch (self, mode) {
        case (.crash, _), (.error, _): .always
        case (.trace, .minimal): .never
        case (.trace, _): .ifSampled
        case (_, .full), (_, .normal): .always
        case (.metric, _): rule == .standard ? .lessOften : .never
        case (.info, _): rule == .standard && isOfApp ? .atLowPriority : .never
        case (.debug, _): .never
        }
    }
}

/// The admission of records of a kind.
package enum KindAdmission: String, Hashable, Sendable, CaseIterable {
    case always
    /// Sent after all others, and dropped before them.
    case atLowPriority
    /// Collected at longer intervals: see ``TelemetryMode/metricIntervalFactor``.
    case lessOften
    /// If it belongs to a sampled trace.
    case ifSampled
    case never

    package func admits(isSampled: Bool) -> Bool {
        switch self {
        case .always, .atLowPriority, .lessOften: true
        case .ifSampled: isSampled
        case .never: false
        }
    }
}

/// The upload order of a record. The raw values are those of the journal and the queue.
public enum UploadPriority: Int, Hashable, Sendable, CaseIterable, Comparable {
    case low = 0
    case normal = 1
    case high = 2
    case critical = 3

    public static func < (left: UploadPriority, right: UploadPriority) -> Bool { left.rawValue < right.rawValue }
}
