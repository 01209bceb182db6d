/// Arithmetic on stored numbers. It stops at the limits of a type instead of trapping.
extension FixedWidthInteger {
    @inlinable
    package func clampedSum(_ other: Self) -> Self {
        let (sum, isOverflow) = addingReportingOverflow(other)
        return !isOverflow ? sum : other < 0 ? .min : .max
    }

    @inlinable
    package func clampedDifference(_ other: Self) -> Self {
        let (difference, isOverflow) = subtractingReportingOverflow(other)
        return !isOverflow ? difference : other < 0 ? .max : .min
    }

    @inlinable
    package func clampedProduct(_ other: Self) -> Self {
        let (product, isOverflow) = multipliedReportingOverflow(by: other)
        return !isOverflow ? product : (self < 0) != (other < 0) ? .min : .max
    }
}

extension Int64 {
    /// Converts the nearest number; 0 for NaN.
    @inlinable
    package init(clamping number: Double) {
        self = Int64(exactly: number.rounded(.towardZero)) ?? (number.isNaN ? 0 : number < 0 ? .min : .max)
    }
}
