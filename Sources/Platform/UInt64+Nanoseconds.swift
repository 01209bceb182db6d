extension UInt64 {
    /// Nanoseconds for seconds that somebody may have configured.
    ///
    /// What is negative or no number counts as 0, and what is longer than 1,000,000,000 seconds (31 years), infinity
    /// included, as that: the sum of a few such never overflows.
    package init(nanosecondsIn seconds: Double) {
        self = UInt64(Swift.max(0, Swift.min(seconds.isNaN ? 0 : seconds, 1e9)) * 1e9)
    }
}
