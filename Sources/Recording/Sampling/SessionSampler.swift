import AstrolabePlatform
import AstrolabeTelemetryModel
import Atomics

/// Records whole sessions: every trace that begins in a session is recorded, or none is.
///
///     let sampler = SessionSampler(rate: 0.1, session: "5f4f8b52-…")
///     let core = RecordingCore(sink: sink, sampler: sampler)
///     sampler.update(session: "0c1e77a3-…")       // from now on
///     sampler.update(rate: 0.05)                  // the policy's decision
///
/// A session has one random number, which its id gives, and is recorded if that number reaches the threshold of the
/// rate. A rate that rises keeps all that a lower one would have kept. What is recorded says so in `tracestate`, as the
/// specification has it for traces that are chosen together ("explicit randomness"): `ot=th:e666;rv:f3d0c5a1b2948e`.
/// A child does as its parent did, in this process or another.
///
/// A rate that another document of remote policy gives is that of the next session: the one that runs stays as it is.
///
/// The start of a span reads one flag where the session is not recorded. Rate and session may change at any time, from
/// any thread; a trace that has begun is not affected.
package final class SessionSampler: Sampler {
    /// The decision that holds until the next change.
    private final class Decision: AtomicReference, Sendable {
        let isSampled: Bool
        let traceState: TraceState

        init(randomness: UInt64, threshold: SamplingThreshold) {
            isSampled = threshold.isReachable && randomness >= threshold.value
            let randomnessDigits = ProbabilityState.fourteenDigits(of: randomness)
            traceState =
                isSampled
                ? TraceState().setting("ot", to: "th:\(threshold.digits);rv:\(randomnessDigits)") : TraceState()
        }
    }

    private struct Settings {
        var threshold: SamplingThreshold
        var randomness: UInt64
        /// Names the document's rates; empty without any.
        var source = ""
        /// The threshold that the current session keeps, because another document has come since its beginning.
        var kept: SamplingThreshold?
        /// True if nothing may be recorded but at the current rate.
        var isLimited = false

        var decision: Decision {
            Decision(randomness: randomness, threshold: isLimited ? threshold : kept ?? threshold)
        }
    }

    private let settings: Locked<Settings>
    private let decision: UnsafeAtomic<Decision>
    /// True only where the decision is not to record: all that most spans need to know then.
    let isOut: UnsafeAtomic<Bool>

    /// - Parameters:
    ///   - rate: The share of sessions that is recorded, 0 to 1, to four significant hexadecimal digits.
    ///   - session: The id of the session; `nil` without sessions, when the sampler's life counts as one.
    package init(rate: Double, session: String? = nil) {
        let threshold = SamplingThreshold(probability: rate)
        let randomness = session.map(Self.randomness) ?? UInt64.random(in: 0..<ProbabilityState.range)
        let first = Decision(randomness: randomness, threshold: threshold)
        settings = Locked(Settings(threshold: threshold, randomness: randomness))
        decision = .create(first)
        isOut = .create(!first.isSampled)
    }

    /// True if the current session is recorded.
    package var isSampled: Bool { !isOut.load(ordering: .relaxed) }

    deinit {
        isOut.destroy()
        decision.destroy()
    }

    /// The share of sessions that is recorded.
    package var rate: Double { settings.withLock { $0.threshold.probability } }

    /// True if a trace that begins now is recorded.
    package var isSampling: Bool { decision.load(ordering: .acquiring).isSampled }

    /// Changes the rate for traces that begin from now on; for the next session, if another document gives it.
    ///
    /// - Parameters:
    ///   - source: Names the document's rates, see `RemotePolicy.rateSource`. Default: as before.
    ///   - isLimited: True if the rate holds for the current session in any case, because the device can record no
    ///     more. Default false.
    package func update(rate: Double, by source: String? = nil, isLimited: Bool = false) {
        let threshold = SamplingThreshold(probability: rate)
        update { settings in
            if let source, source != settings.source {
                settings.kept = settings.kept ?? settings.threshold
                settings.source = source
            }
            settings.threshold = threshold
            settings.isLimited = isLimited
        }
    }

    /// Begins a run with the rates of a document, before its first session and its first decision.
    package func begin(with source: String) {
        update { ($0.source, $0.kept) = (source, nil) }
    }

    /// Changes the session for traces that begin from now on.
    package func update(session: String) {
        let randomness = Self.randomness(of: session)
        update { ($0.randomness, $0.kept) = (randomness, nil) }
    }

    private func update(_ change: (inout Settings) -> Void) {
        settings.withLock { settings in
            change(&settings)
            let new = settings.decision
            // In this order, so that whoever finds the flag down finds the decision too.
            if new.isSampled { isOut.store(false, ordering: .releasing) }
            decision.store(new, ordering: .releasing)
            if !new.isSampled { isOut.store(true, ordering: .releasing) }
        }
    }

    /// A root does as its session does, a child as its parent did.
    package func shouldSample(_ input: SamplingInput) -> SamplingResult {
        if let parent = input.parent {
            return SamplingResult(isSampled: parent.isSampled, traceState: parent.consistentTraceState)
        }
        let root = decideRoot()
        return SamplingResult(isSampled: root.isSampled, traceState: root.traceState)
    }

    /// Decides about a root, which does as its session does.
    func decideRoot() -> SamplingPlan.Decision {
        let decision = decision.load(ordering: .acquiring)
        return SamplingPlan.Decision(isSampled: decision.isSampled, traceState: decision.traceState)
    }

    package var description: String { "SessionSampler{\(rate)}" }

    /// The 56 bits of a session: FNV-1a over its id, and the finalizer of SplitMix64, which spreads them evenly.
    static func randomness(of session: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in session.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return (hash ^ (hash >> 31)) & (ProbabilityState.range - 1)
    }
}
