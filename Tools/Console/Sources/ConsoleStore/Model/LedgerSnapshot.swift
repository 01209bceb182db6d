/// What a device said of all its records at one moment: where each of them is.
///
///     created = delivered + inJournal + inQueue + dropped
///
/// The numbers count from the installation of the app on. A number is `nil` where the point that tells it has not
/// arrived.
package struct LedgerSnapshot: Sendable, Hashable {
    /// By the device's clock.
    package let timeUnixNano: UInt64
    package internal(set) var created: Int?
    package internal(set) var delivered: Int?
    /// Waiting in the device's journal.
    package internal(set) var inJournal: Int?
    /// Waiting in the device's offline queue.
    package internal(set) var inQueue: Int?
    /// Given up, the most frequent reason first; reasons for which nothing was given up may be left out.
    package internal(set) var dropped: [Drop] = []

    package struct Drop: Sendable, Hashable {
        /// The value of `astrolabe.drop.reason`.
        package let reason: String
        package let count: Int
    }

    init(timeUnixNano: UInt64) {
        self.timeUnixNano = timeUnixNano
    }

    package var pending: Int { (inJournal ?? 0) + (inQueue ?? 0) }
    package var droppedTotal: Int { dropped.reduce(0) { $0 + $1.count } }

    /// Records without a place; below zero where there are more places than records. `nil` where a number is missing.
    package var unaccounted: Int? {
        guard let created, let delivered, inJournal != nil, inQueue != nil else { return nil }
        return created - delivered - pending - droppedTotal
    }
}
