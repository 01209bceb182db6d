/// Leased records of the queue, to be acknowledged, recorded as failed, or released.
///
/// No other reader receives them in the meantime, in this process or another. The lease ends with its owner, the
/// `RecordQueue` that created it, or after the configured time.
package struct QueueLease: Sendable, Identifiable {
    /// A record as it was enqueued.
    package struct Record: Equatable, Sendable, Identifiable {
        package let id: Int64
        package let kind: UInt8
        package let priority: UInt8
        package let time: UInt64
        /// The number of failed delivery attempts.
        package let failedAttempts: Int
        /// A key of the lease's `headers`.
        package let header: Int64
        package let payload: [UInt8]
    }

    package let id: Int64
    /// By descending priority, then by time, then by id.
    package let records: [Record]
    package let headers: [Int64: [UInt8]]

    package var ids: [Int64] { records.map(\.id) }
}
