/// Records that one flush has taken out and will acknowledge or release: of one run and one kind, most urgent first.
///
/// The bytes are those in the mapping; they are good until the lease ends. A lease that nobody ends releases its
/// records when its last reference goes.
package final class JournalLease: @unchecked Sendable {  // immutable, the bytes too while the lease lasts
    /// A record where it lies.
    package struct Record {
        package let priority: UInt8
        package let tag: UInt16
        package let sequence: UInt64
        /// Nanoseconds, as the caller gave them.
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

/// What a reader has taken out for a lease.
struct TakenRecords {
    let id: UInt64
    let run: JournalRun
    let kind: UInt8
    var records: [JournalLease.Record] = []
    var byteCount = 0
}
