/// The outcome of a record that has left the journal; the caller assigns the numbers' meaning.
///
/// Stored in the record itself, so that the outcomes survive a kill together with the records.
package struct JournalOutcome: RawRepresentable, Hashable, Sendable {
    /// 0...14 belong to the caller; 15 is `evicted`.
    package let rawValue: UInt8

    package init?(rawValue: UInt8) {
        guard rawValue < 16 else { return nil }
        self.rawValue = rawValue
    }

    private init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates an outcome of the caller; numbers above 14 become 14.
    package init(caller number: UInt8) { self.init(min(number, 14)) }

    /// The default outcome: the caller has finished with the record.
    package static let acknowledged = JournalOutcome(0)
    /// Dropped by the journal, because previous runs left more than it may keep.
    package static let evicted = JournalOutcome(15)

    static let count = 16
}

/// The result of an append.
package enum JournalAppend: Equatable, Sendable {
    /// The record is stored and survives a kill. The number is unique in the run and increases from segment to segment.
    case appended(sequence: UInt64)
    /// The record was not stored, and was counted.
    case refused(JournalRefusal)
}

/// Why a record was not stored.
package enum JournalRefusal: UInt8, Hashable, Sendable, CaseIterable {
    /// It is longer than a segment can hold.
    case oversized = 0
    /// The prepared segments are full and `maintain()` has not run yet.
    case notReady = 1
    /// All configured segments hold records that have not been acknowledged.
    case full = 2
    /// Neither the disk nor memory had room for another segment.
    case diskFull = 3
    /// The journal was closed.
    case closed = 4
}
