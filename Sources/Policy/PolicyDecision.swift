/// What to collect and how to send it, with the reasons.
public struct PolicyDecision: Hashable, Sendable {
    public struct Buffers: Hashable, Sendable {
        public var breadcrumbs: Int
        /// How many frames of the replay a minute may have: where the frame rate would make more, they come more
        /// slowly. 0 stops the replay and releases its frame.
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
    /// Frames a second; 0 stops the replay.
    public var replayFrameRate: Double
    public var buffers: Buffers
    public var budget: ResourceBudget
    /// Never empty. The first says what sets the mode.
    public var reasons: [PolicyReason]

    public func admission(of kind: TelemetryKind) -> Admission { kind.admission(in: mode) }

    /// Whether a record is kept, that belongs to a sampled trace or session or does not.
    public func admits(_ kind: TelemetryKind, isSampled: Bool) -> Bool {
        admission(of: kind).admits(isSampled: isSampled)
    }

    /// Whether there is nothing to do differently, though the reasons may read otherwise: 15 % of battery or 14.
    public func hasSameEffect(as other: PolicyDecision) -> Bool {
        var other = other
        other.reasons = reasons
        return self == other
    }
}
