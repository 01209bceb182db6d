import AstrolabeTelemetryModel

/// Records a fixed share of all traces, chosen by the trace id, and says in `tracestate` what share that was.
///
///     RatioSampler(0.25).shouldSample(input).traceState.header     // "ot=th:c"
///
/// This is the consistent probability sampling of OpenTelemetry ("TraceState: Probability Sampling"). It compares the
/// last 56 bits of the trace id with a threshold, so every participant with the same or a higher ratio makes the same
/// choice. A backend multiplies counts by the inverse of the probability in `th`.
public struct RatioSampler: Sampler {
    private let threshold: SamplingThreshold
    private let freshState: TraceState

    /// Values outside 0...1 count as the nearer end, and so do those below 2^-56; not-a-number counts as 0.
    public init(_ ratio: Double) {
        threshold = SamplingThreshold(probability: ratio)
        freshState = TraceState().setting("ot", to: "th:" + threshold.digits)
    }

    /// The share that is recorded, 0 to 1, as precisely as `th` tells it: four hexadecimal digits after those that say
    /// how small it is.
    public var ratio: Double { threshold.probability }

    /// Decides by the trace id, for children as for roots.
    public func shouldSample(_ input: SamplingInput) -> SamplingResult {
        let state = ProbabilityState(input.parent?.traceState ?? TraceState())
        guard threshold.isReachable, state.randomness(of: input.traceID) >= threshold.value else {
            return SamplingResult(isSampled: false, traceState: state.removingThreshold())
        }
        let hasNone = input.parent?.traceState.isEmpty ?? true
        return SamplingResult(
            isSampled: true, traceState: hasNone ? freshState : state.setting(threshold: threshold.digits))
    }

    public var description: String { "RatioSampler{\(ratio)}" }
}
