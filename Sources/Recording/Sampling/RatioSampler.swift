import TelemetryModel

/// Records a fixed share of all traces, chosen by the trace id, and says in `tracestate` what share that was.
///
///     RatioSampler(0.25).shouldSample(input).traceState.header     // "ot=th:c"
///
/// The consistent probability sampling of OpenTelemetry ("TraceState: Probability Sampling"): the last 56 bits of the
/// trace id are compared with a threshold, so every participant with the same or a higher ratio makes the same choice,
/// and a backend multiplies counts by the inverse of the probability that `th` tells.
public struct RatioSampler: Sampler {
    /// The share that is recorded, 0 to 1, as precisely as `th` tells it: four hexadecimal digits after those that say
    /// how small it is.
    public let ratio: Double
    private let threshold: UInt64
    private let digits: String
    private let freshState: TraceState

    /// Values outside 0...1 count as the nearer end, and so do those below 2^-56; not-a-number counts as 0.
    public init(_ ratio: Double) {
        threshold = Self.threshold(for: ratio)
        self.ratio = Double(ProbabilityState.range - threshold) / Double(ProbabilityState.range)
        digits = Self.encode(threshold)
        freshState = TraceState().setting("ot", to: "th:" + digits)
    }

    public func shouldSample(_ input: SamplingInput) -> SamplingResult {
        let state = ProbabilityState(input.parent?.traceState ?? TraceState())
        guard threshold < ProbabilityState.range, state.randomness(of: input.traceID) >= threshold else {
            return SamplingResult(isSampled: false, traceState: state.removingThreshold())
        }
        let hasNone = input.parent?.traceState.isEmpty ?? true
        return SamplingResult(isSampled: true, traceState: hasNone ? freshState : state.setting(threshold: digits))
    }

    public var description: String { "RatioSampler{\(ratio)}" }

    /// How many of 2^56 values are rejected, rounded to the four digits that the specification recommends after the
    /// leading `f`s that a small ratio has.
    private static func threshold(for ratio: Double) -> UInt64 {
        guard ratio >= 0x1p-56 else { return ProbabilityState.range }
        guard ratio < 1 else { return 0 }
        let leading = -(ratio.exponent + 1) / 4
        let droppedBits = UInt64(56 - 4 * min(4 + leading, 13))
        let kept = UInt64((ratio * 0x1p56).rounded())
        // Half of the last digit added, then all beyond it cut off.
        let lastDigit: UInt64 = 1 << droppedBits
        let rounded = (ProbabilityState.range - kept + lastDigit / 2) / lastDigit * lastDigit
        return min(rounded, ProbabilityState.range - lastDigit)
    }

    /// 14 hexadecimal digits without trailing zeros; a lone `0` for the threshold that rejects nothing.
    private static func encode(_ threshold: UInt64) -> String {
        let digits = String(threshold, radix: 16)
        var padded = String(repeating: "0", count: max(14 - digits.count, 0)) + digits
        while padded.count > 1, padded.last == "0" { padded.removeLast() }
        return padded
    }
}
