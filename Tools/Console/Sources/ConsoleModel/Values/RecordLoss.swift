/// The records that devices lost in a time, by their ledgers.
///
/// Records that sampling left out, or that the flight recorder did not send, are not part of it: counts are corrected
/// for them.
package struct RecordLoss: Sendable, Hashable {
    /// The records that were pending at the start or created in the time.
    package private(set) var records = 0
    /// The records that were dropped in the time, by the value of `astrolabe.drop.reason`.
    package private(set) var dropped: [String: Int] = [:]

    package init() {}

    package static let sampledOut = "sampled out"

    package var droppedTotal: Int { dropped.values.reduce(0) { $0.clampedSum($1) } }

    package mutating func add(_ period: LedgerPeriod) {
        var kept = period.carried.clampedSum(period.created).clampedDifference(period.notSent)
        for drop in period.dropped {
            if drop.reason == Self.sampledOut {
                kept = kept.clampedDifference(drop.count)
            } else {
                dropped[drop.reason] = drop.count.clampedSum(dropped[drop.reason] ?? 0)
            }
        }
        records = records.clampedSum(kept)
    }
}
