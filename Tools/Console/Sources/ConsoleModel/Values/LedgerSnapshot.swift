/// A snapshot of a device's record ledger.
///
///     created = delivered + inJournal + inQueue + notSent + dropped
///
/// The numbers count from the installation of the app. A number is `nil` if its metric point has not arrived.
package struct LedgerSnapshot: Sendable, Hashable {
    /// The time of the snapshot by the device's clock.
    package let timeUnixNano: UInt64
    package var created: Int?
    package var delivered: Int?
    /// The number of records pending in the device's journal.
    package var inJournal: Int?
    /// The number of records pending in the device's offline queue.
    package var inQueue: Int?
    /// The number of records that the flight recorder holds or has overwritten; `nil` counts as none, because an SDK
    /// without a flight recorder does not send it.
    package var notSent: Int?
    /// The dropped records by reason, most frequent first. Reasons without drops may be missing.
    package var dropped: [Drop] = []

    package struct Drop: Sendable, Hashable {
        /// The value of `astrolabe.drop.reason`.
        package let reason: String
        package let count: Int

        package init(reason: String, count: Int) {
            self.reason = reason
            self.count = count
        }
    }

    package init(timeUnixNano: UInt64) {
        self.timeUnixNano = timeUnixNano
    }

    package var pending: Int { (inJournal ?? 0).clampedSum(inQueue ?? 0) }
    package var droppedTotal: Int { dropped.reduce(0) { $0.clampedSum($1.count) } }

    /// The number of records that are unaccounted for, negative if records are counted twice. `nil` if a number is
    /// missing.
    package var unaccounted: Int? {
        guard let created, let delivered, inJournal != nil, inQueue != nil else { return nil }
        let known = delivered.clampedSum(pending).clampedSum(notSent ?? 0).clampedSum(droppedTotal)
        return created.clampedDifference(known)
    }
}
