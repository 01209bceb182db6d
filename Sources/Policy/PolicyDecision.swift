/// What to collect and how to send it, with the reasons.
public struct PolicyDecision: Hashable, Sendable {
    public struct Buffers: Hashable, Sendable {
        public var breadcrumbs: Int
        /// Maximum replay frames per minute: the frame rate is reduced to fit. 0 stops the replay and releases its
        /// frame.
        public var replayFrames: Int

        public init(breadcrumbs: Int, replayFrames: Int) {
            self.breadcrumbs = breadcrumbs
            self.replayFrames = replayFrames
        }
    }

    public var mode: TelemetryMode
    /// The share of sessions and trace roots that is kept, 0...1, for those that begin from now on.
    public var samplingRate: Double
    public var flushInterval: Duration
    public var upload: UploadPlan
    /// Frames per second; 0 stops the replay.
    public var replayFrameRate: Double
    public var buffers: Buffers
    public var budget: ResourceBudget
    /// The reasons; never empty. The first one determines the mode.
    public var reasons: [PolicyReason]

    public func admission(of kind: TelemetryKind) -> Admission { kind.admission(in: mode) }

    /// Returns whether a record is kept, depending on whether its trace or session is sampled.
    public func admits(_ kind: TelemetryKind, isSampled: Bool) -> Bool {
        admission(of: kind).admits(isSampled: isSampled)
    }

    /// Returns whether another decision differs at most in its reasons, such as 15 % of battery instead of 14 %.
    public func hasSameEffect(as other: PolicyDecision) -> Bool {
        var other = other
        other.reasons = reasons
        return self == other
    }
}
