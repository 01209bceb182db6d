import TelemetryModel

/// Records a fixed share of all traces, chosen by the trace id, and says in `tracestate` what share that was.
///
///     RatioSampler(0.25).shouldSample(input).traceState.header     // "ot=th:c"
///
/// The consistent probability sampling of OpenTelemetry ("TraceState: Probability Sampling"): the last 56 bits of the
/// trace id are compared with a threshold, so every participant with the same or a higher ratio makes the same choice,
/// and a backend multiplies counts by the inverse of the probability that `th` tells.
public struct RatioSampler: Sampler {
    /// The share that is recorded, 0 to 1, as precise as four hexadecimal digits make it.
    public let ratio: Double
    private let threshold: UInt64
    private let member: String?
    private let freshState: TraceState

    private static let range: UInt64 = 1 << 56

    /// Values outside 0...1 count as the nearer end; not-a-number as 0.
    public init(_ ratio: Double) {
        let bounded = ratio >= 1 ? 1 : (ratio > 0 ? ratio : 0)
        // Four hexadecimal digits of precision, rounded to the nearest: the specification's recommendation.
        let rejected = UInt64(((1 - bounded) * 65_536).rounded())
        threshold = rejected << 40
        self.ratio = 1 - Double(rejected) / 65_536
        member = threshold < Self.range ? "th:" + Self.encode(threshold) : nil
        freshState = member.map { TraceState().setting("ot", to: $0) } ?? TraceState()
    }

    public func shouldSample(_ input: SamplingInput) -> SamplingResult {
        let state = input.parent?.traceState ?? TraceState()
        let inherited = state.isEmpty ? [] : Self.fields(of: state)
        let explicitRandomness = inherited.first { $0.hasPrefix("rv:") }.flatMap { UInt64($0.dropFirst(3), radix: 16) }
        let randomness = explicitRandomness ?? input.traceID.low & (Self.range - 1)
        guard let member, randomness >= threshold else {
            return SamplingResult(isSampled: false, traceState: state)
        }
        if state.isEmpty { return SamplingResult(isSampled: true, traceState: freshState) }
        let fields = [member] + inherited.filter { !$0.hasPrefix("th:") }
        return SamplingResult(isSampled: true, traceState: state.setting("ot", to: fields.joined(separator: ";")))
    }

    public var description: String { "RatioSampler{\(ratio)}" }

    /// The parts of OpenTelemetry's own member: `rv:` is randomness that replaces the trace id's, `th:` a threshold.
    private static func fields(of state: TraceState) -> [String] {
        (state["ot"] ?? "").split(separator: ";").map(String.init)
    }

    /// 14 hexadecimal digits without trailing zeros; a lone `0` for the threshold that rejects nothing.
    private static func encode(_ threshold: UInt64) -> String {
        let digits = String(threshold, radix: 16)
        var padded = String(repeating: "0", count: 14 - digits.count) + digits
        while padded.count > 1, padded.last == "0" { padded.removeLast() }
        return padded
    }
}
