/// The result of one pass of retention.
package struct RetentionReport: Sendable, Hashable {
    package var expiredRecords = 0
    package var evictedRecords = 0
    /// The sequence numbers of the store before the pass, which are about as many as its records.
    package var storedBefore = 0
    /// The minutes since 1970 in which the removed records arrived, by the wall clock; `nil` if none was removed.
    package var minutes: ClosedRange<Int64>?
    /// The wall clock's lead over the time that is expected, while the clocks are in doubt and nothing is removed by
    /// age. See `AgeClock`.
    package var clockDoubt: Duration?

    package init() {}
}
