import AstrolabeTelemetryModel

/// The number of rejected values of randomness, of 2^56: the form in which OpenTelemetry compares probabilities and
/// passes them on ("TraceState: Probability Sampling").
package struct SamplingThreshold: Equatable, Sendable {
    package let value: UInt64
    /// 1 to 14 hexadecimal digits, without trailing zeros, as `th` has them.
    package let digits: String

    /// Rounds a probability to the four digits that the specification recommends after the leading `f`s that a small
    /// one has. Values outside 0...1 count as the nearer end, and so do those below 2^-56; not-a-number counts as 0.
    package init(probability: Double) {
        value = Self.threshold(for: probability)
        digits = Self.encode(value)
    }

    /// Takes a threshold that a `th` tells.
    package init(_ value: UInt64) {
        self.value = value
        digits = Self.encode(value)
    }

    /// False where nothing can reach the threshold, which has no digits then.
    package var isReachable: Bool { value < ProbabilityState.range }

    /// The probability, 0 to 1, to the precision of the digits.
    package var probability: Double { Double(ProbabilityState.range - value) / Double(ProbabilityState.range) }

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
        var padded = ProbabilityState.fourteenDigits(of: threshold)
        while padded.count > 1, padded.last == "0" { padded.removeLast() }
        return padded
    }
}
