/// The decision on what to collect and how to send it, with the reasons.
public struct PolicyDecision: Equatable, Sendable {
    package struct Buffers: Equatable, Sendable {
        package var breadcrumbs: Int
        /// Maximum replay frames per minute: the frame rate is reduced to fit. 0 stops the replay and releases its
        /// frame.
        package var replayFrames: Int

        package init(breadcrumbs: Int, replayFrames: Int) {
            self.breadcrumbs = breadcrumbs
            self.replayFrames = replayFrames
        }
    }

    /// The amount of telemetry that is collected.
    public var mode: TelemetryMode
    /// The share of sessions and trace roots that is kept, 0...1, for those that begin from now on.
    public var samplingRate: Double
    /// The time between two flushes.
    public var flushInterval: Duration
    package var upload: UploadPlan
    /// Frames per second; 0 stops the replay.
    package var replayFrameRate: Double
    package var buffers: Buffers
    package var budget: ResourceBudget
    package var admission = PolicyConfiguration.Admission.standard
    /// True if the flight recorder records.
    package var isRecorderOn = true
    /// The remote document in force; `nil` if there is none.
    package var remote: RemotePolicy?
    /// The reasons; never empty. The first one determines the mode.
    public var reasons: [PolicyReason]

    package func admission(of kind: TelemetryKind, isOfApp: Bool = false) -> KindAdmission {
        kind.admission(in: mode, admission, isOfApp: isOfApp)
    }

    /// Returns whether a record is kept, depending on whether its trace or session is sampled.
    package func admits(_ kind: TelemetryKind, isSampled: Bool) -> Bool {
        admission(of: kind).admits(isSampled: isSampled)
    }

    /// Returns whether another decision differs at most in its reasons, such as 15 % of battery instead of 14 %.
    package func hasSameEffect(as other: PolicyDecision) -> Bool {
        var other = other
        other.reasons = reasons
        return self == other
    }
}
