/// Where the records of a session's device are, and what became of them while the session lasted.
package struct SessionLedger: Sendable, Hashable {
    /// Of the device's accounts taken after the session's start, the one nearest to its end; the last before it where
    /// there is none. `nil` where the device has sent none.
    package let account: LedgerSnapshot?
    /// From the last account up to the session's start, or a moment after it, to ``account``; `nil` where there are no
    /// two such accounts, or where they cannot be compared.
    package let during: LedgerPeriod?

    init(account: LedgerSnapshot?, before: LedgerSnapshot?) {
        self.account = account
        during = account.flatMap { account in before.flatMap { LedgerPeriod(from: $0, to: account) } }
    }
}

/// What became of a device's records between two of its accounts.
///
///     carried + created = delivered + inJournal + inQueue + dropped
package struct LedgerPeriod: Sendable, Hashable {
    /// By the device's clock.
    package let fromUnixNano: UInt64
    package let toUnixNano: UInt64
    /// Records that waited on the device when the period began.
    package let carried: Int
    package let created: Int
    package let delivered: Int
    /// Waiting at the end of the period.
    package let inJournal: Int
    package let inQueue: Int
    /// Given up within the period, the most frequent reason first.
    package let dropped: [LedgerSnapshot.Drop]

    /// - Returns: `nil` where one of the accounts is not whole, or where a count fell: the app's files were removed in
    ///   between, or a kill took the last of what was counted as sampled out.
    init?(from first: LedgerSnapshot, to last: LedgerSnapshot) {
        guard first.timeUnixNano < last.timeUnixNano, first.unaccounted != nil, last.unaccounted != nil,
            let created = Self.growth(first.created, last.created),
            let delivered = Self.growth(first.delivered, last.delivered),
            let inJournal = last.inJournal, let inQueue = last.inQueue
        else { return nil }
        var dropped: [LedgerSnapshot.Drop] = []
        let known = Dictionary(first.dropped.map { ($0.reason, $0.count) }, uniquingKeysWith: +)
        let now = Dictionary(last.dropped.map { ($0.reason, $0.count) }, uniquingKeysWith: +)
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
        self.dropped = dropped.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    }

    /// Records without a place, found lost or won within the period; below zero where there are more places than
    /// records.
    package var unaccounted: Int {
        carried + created - delivered - inJournal - inQueue - dropped.reduce(0) { $0 + $1.count }
    }

    private static func growth(_ first: Int?, _ last: Int?) -> Int? {
        guard let first, let last, last >= first else { return nil }
        return last - first
    }
}
