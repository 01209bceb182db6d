/// The ledger of a session's device, and its change during the session.
package struct SessionLedger: Sendable, Hashable {
    /// The snapshot after the session's start that is nearest to its end, or else the last one before the start.
    ///
    /// `nil` if the device has sent no snapshot.
    package let account: LedgerSnapshot?
    /// The change from the last snapshot at the session's start to ``account``.
    ///
    /// `nil` if there are no two such snapshots, or if they cannot be compared.
    package let during: LedgerPeriod?

    package init(account: LedgerSnapshot?, before: LedgerSnapshot?) {
        self.account = account
        during = account.flatMap { account in before.flatMap { LedgerPeriod(from: $0, to: account) } }
    }
}

/// The change of a device's ledger between two snapshots.
///
///     carried + created = delivered + inJournal + inQueue + notSent + dropped
package struct LedgerPeriod: Sendable, Hashable {
    /// The start of the period by the device's clock.
    package let fromUnixNano: UInt64
    package let toUnixNano: UInt64
    /// The number of records pending at the start of the period.
    package let carried: Int
    package let created: Int
    package let delivered: Int
    /// The number of records pending in the journal at the end of the period.
    package let inJournal: Int
    package let inQueue: Int
    /// The growth of the records that the flight recorder holds or has overwritten; negative if it sent more than it
    /// took in.
    package let notSent: Int
    /// The records dropped in the period by reason, most frequent first.
    package let dropped: [LedgerSnapshot.Drop]

    /// - Returns: `nil` if a snapshot is incomplete or if a counter decreased. A counter decreases if the app's files
    ///   were removed, or if a kill lost the latest sampled-out count.
    package init?(from first: LedgerSnapshot, to last: LedgerSnapshot) {
        guard first.timeUnixNano < last.timeUnixNano, first.unaccounted != nil, last.unaccounted != nil,
            let created = Self.growth(first.created, last.created),
            let delivered = Self.growth(first.delivered, last.delivered),
            let inJournal = last.inJournal, let inQueue = last.inQueue
        else { return nil }
        var dropped: [LedgerSnapshot.Drop] = []
        let known = Dictionary(first.dropped.map { ($0.reason, $0.count) }) { $0.clampedSum($1) }
        let now = Dictionary(last.dropped.map { ($0.reason, $0.count) }) { $0.clampedSum($1) }
        for reason in Set(known.keys).union(now.keys) {
            guard let count = Self.growth(known[reason] ?? 0, now[reason] ?? 0) else { return nil }
            if count > 0 { dropped.append(LedgerSnapshot.Drop(reason: reason, count: count)) }
        }
        fromUnixNano = first.timeUnixNano
        toUnixNano = last.timeUnixNano
        carried = first.pending
        self.created = created
        self.delivered = delivered
        self.inJournal = inJournal
        self.inQueue = inQueue
        notSent = (last.notSent ?? 0).clampedDifference(first.notSent ?? 0)
        self.dropped = dropped.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    }

    /// The number of records unaccounted for in the period, negative if records are counted twice.
    package var unaccounted: Int {
        let lost = dropped.reduce(0) { $0.clampedSum($1.count) }
        let known = delivered.clampedSum(inJournal).clampedSum(inQueue).clampedSum(notSent).clampedSum(lost)
        return carried.clampedSum(created).clampedDifference(known)
    }

    private static func growth(_ first: Int?, _ last: Int?) -> Int? {
        guard let first, let last, last >= first else { return nil }
        return last - first
    }
}
