public import AstrolabeRecording
import AstrolabeTelemetryModel

/// Decides with consistent probability as a composition of samplers says.
///
///     configuration.sampler = CompositeSampler(
///         .parentThreshold(
///             root: .ruleBased([
///                 ComposableSampler.Rule("health", .alwaysOff) { $0.attributes["url.path"] == "/health" },
///                 ComposableSampler.Rule("checkout", .alwaysOn) { $0.name == "checkout" },
///                 ComposableSampler.Rule("others", .probability(0.1)) { _ in true },
///             ])))
///
/// The specification's composite sampler, which is in development there. The `th` of `tracestate` tells with which
/// probability a span is recorded, so that a backend can multiply counts by the inverse.
public struct CompositeSampler: Sampler {
    private let delegate: ComposableSampler

    /// Creates a sampler that decides as `delegate` says.
    public init(_ delegate: ComposableSampler) {
        self.delegate = delegate
    }

    public func shouldSample(_ input: SamplingInput) -> SamplingResult {
        let state = ProbabilityState(input.parent?.traceState ?? TraceState())
        let intent = delegate.intent(input)
        // A threshold that is not reliable is that of a sampled parent without one, which is 0 and needs no randomness.
        guard let threshold = intent.threshold,
            !intent.isReliable || state.randomness(of: input.traceID) >= threshold.value
        else { return SamplingResult(.drop, traceState: state.removingThreshold()) }
        return SamplingResult(
            .recordAndSample, attributes: intent.attributes,
            traceState: intent.isReliable
                ? state.setting(threshold: threshold.digits) : state.removingThreshold())
    }

    public var description: String { "CompositeSampler{\(delegate)}" }
}
