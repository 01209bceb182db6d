extension UInt64 {
    /// Converts seconds to nanoseconds, bounded.
    ///
    /// Negative values and NaN become 0. Values over 1,000,000,000 seconds (31 years), including infinity, become that.
    /// Sums of a few such values never overflow.
    package init(nanosecondsIn seconds: Double) {
        self = UInt64(Swift.max(0, Swift.min(seconds.isNaN ? 0 : seconds, 1e9)) * 1e9)
    }
}
