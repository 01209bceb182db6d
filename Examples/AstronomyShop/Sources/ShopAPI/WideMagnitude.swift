/// 128 bits without a sign, for products that outgrow 64 bits.
///
/// The standard library's `UInt128` needs iOS 18; this has the four operations money needs, and each says when its
/// result does not fit.
struct WideMagnitude: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    init(high: UInt64 = 0, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The sum, or nil past 128 bits.
    func adding(_ other: UInt64) -> WideMagnitude? {
        let (low, carries) = low.addingReportingOverflow(other)
        let (high, overflows) = high.addingReportingOverflow(carries ? 1 : 0)
        return overflows ? nil : WideMagnitude(high: high, low: low)
    }

    /// The product, or nil past 128 bits.
    func multiplied(by factor: UInt64) -> WideMagnitude? {
        let lower = low.multipliedFullWidth(by: factor)
        let upper = high.multipliedFullWidth(by: factor)
        let (high, overflows) = upper.low.addingReportingOverflow(lower.high)
        guard upper.high == 0, !overflows else { return nil }
        return WideMagnitude(high: high, low: lower.low)
    }

    /// Quotient and remainder; `divisor` must not be 0.
    func divided(by divisor: UInt64) -> (quotient: WideMagnitude, remainder: UInt64) {
        let upper = high.quotientAndRemainder(dividingBy: divisor)
        let lower = divisor.dividingFullWidth((upper.remainder, low))
        return (WideMagnitude(high: upper.quotient, low: lower.quotient), lower.remainder)
    }

    /// The quotient, a remainder of half the divisor or more counted as one more; nil past 128 bits.
    func dividedRoundingHalfUp(by divisor: UInt64) -> WideMagnitude? {
        let (quotient, remainder) = divided(by: divisor)
        return remainder >= divisor - remainder ? quotient.adding(1) : quotient
    }
}

extension WideMagnitude: Comparable {
    static func < (left: WideMagnitude, right: WideMagnitude) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
