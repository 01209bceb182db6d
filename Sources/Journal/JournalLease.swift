/// Leased records of one run and one kind, most urgent first, to be acknowledged or released.
///
/// The bytes point into the mapping and are valid until the lease ends. A lease that is neither acknowledged nor
/// released releases its records when its last reference is gone.
package final class JournalLease: @unchecked Sendable {  // immutable, and so are the bytes while the lease lasts
    /// A leased record and its bytes in the mapping.
    package struct Record {
        package let priority: UInt8
        package let tag: UInt16
        package let sequence: UInt64
        /// Nanoseconds, as passed to `append`.
        package let time: UInt64
        package let bytes: UnsafeRawBufferPointer
    }

    package let run: JournalRun
    package let kind: UInt8
    package let records: [Record]
    /// The sum of the records' lengths.
    package let byteCount: Int
    let id: UInt64
    private let onEnd: @Sendable (UInt64) -> Void

    init(_ taken: TakenRecords, onEnd: @escaping @Sendable (UInt64) -> Void) {
        run = taken.run
        kind = taken.kind
        records = taken.records
        byteCount = taken.byteCount
        id = taken.id
        self.onEnd = onEnd
    }

    deinit {
        onEnd(id)
    }
}

/// The records of a lease, as taken by a reader.
struct TakenRecords {
    let id: UInt64
    let run: JournalRun
    let kind: UInt8
    var records: [JournalLease.Record] = []
    var byteCount = 0
}
