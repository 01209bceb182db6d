/// What became of a record that the journal has let go; the numbers mean what the caller decides.
///
/// Stored in the record itself, so the account of what became of a run's records survives a kill together with them.
package struct JournalOutcome: RawRepresentable, Hashable, Sendable {
    /// 0...14 are the caller's; 15 is `evicted`.
    package let rawValue: UInt8

    package init?(rawValue: UInt8) {
        guard rawValue < 16 else { return nil }
        self.rawValue = rawValue
    }

    private init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// One of the caller's; more than 14 is 14.
    package init(caller number: UInt8) { self.init(min(number, 14)) }

    /// The usual outcome: the caller is done with the record.
    package static let acknowledged = JournalOutcome(0)
    /// Given up by the journal itself, because earlier runs left more than it may keep.
    package static let evicted = JournalOutcome(15)

    static let count = 16
}

/// How an append ended.
package enum JournalAppend: Hashable, Sendable {
    /// The record survives a kill from now on. The number is unique in the run, and higher in each later segment.
    case appended(sequence: UInt64)
    /// The record was not taken, and was counted.
    case refused(JournalRefusal)
}

/// Why a record was not taken.
package enum JournalRefusal: UInt8, Hashable, Sendable, CaseIterable {
    /// It is longer than a segment holds.
    case oversized = 0
    /// The prepared segments are full and `maintain()` has not come by yet.
    case notReady = 1
    /// All segments that the configuration allows hold records that nobody has acknowledged.
    case full = 2
    /// The disk had no space for another segment.
    case diskFull = 3
    /// The journal was closed.
    case closed = 4
}
