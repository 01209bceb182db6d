/// Records to be enqueued, copied into one block of memory.
///
///     var batch = QueueBatch()
///     for record in lease.records {
///         batch.append(record.bytes, kind: lease.kind, priority: record.priority, time: record.time, header: head)
///     }
///     try queue.enqueue(batch)
package struct QueueBatch: Sendable {
    struct Record {
        let kind: UInt8
        let priority: UInt8
        let time: UInt64
        let failedAttempts: Int
        /// An index in `headers`.
        let header: Int
        let range: Range<Int>
    }

    private(set) var records: [Record] = []
    private(set) var headers: [[UInt8]] = []
    private(set) var bytes: [UInt8] = []

    package init() {}

    package var count: Int { records.count }

    /// Appends a copy of a record.
    ///
    /// - Parameters:
    ///   - priority: 0...3; higher values become 3.
    ///   - time: Nanoseconds since 1970; times after the year 2262 are clamped to it.
    ///   - header: Opaque data needed to decode the record, stored once for all records that share it.
    ///   - failedAttempts: How many delivery attempts have already failed. Default 0.
    ///   - suffix: Bytes that follow those of the record. Default none.
    package mutating func append(
        _ payload: UnsafeRawBufferPointer, kind: UInt8, priority: UInt8, time: UInt64, header: [UInt8],
        failedAttempts: Int = 0, adding suffix: [UInt8] = [],
    ) {
        let index: Int
        if let last = records.last, headers[last.header] == header {
            index = last.header
        } else if let known = headers.firstIndex(of: header) {
            index = known
        } else {
            index = headers.count
            headers.append(header)
        }
        let time = min(time, UInt64(Int64.max))
        let start = bytes.count
        bytes.append(contentsOf: payload)
        bytes.append(contentsOf: suffix)
        records.append(
            Record(
                kind: kind, priority: min(priority, 3), time: time, failedAttempts: failedAttempts, header: index,
                range: start..<bytes.count,
            ))
    }

    package mutating func append(_ payload: [UInt8], kind: UInt8, priority: UInt8, time: UInt64, header: [UInt8]) {
        payload.withUnsafeBytes { append($0, kind: kind, priority: priority, time: time, header: header) }
    }
}

/// The result of a call: the records enqueued, and the records dropped with it.
package struct QueueReceipt: Equatable, Sendable {
    /// Records of the batch, including dropped ones.
    package var enqueued = 0
    /// Records dropped in this transaction, new and old.
    package var dropped: [QueueDrop: Int] = [:]
}

/// Why the queue dropped a record. The raw value is the name of its counter in the ledger.
package enum QueueDrop: String, Hashable, Sendable, CaseIterable {
    /// The queue was full, and the record was the oldest of the lowest priority.
    case evicted = "queue.dropped.evicted"
    /// It waited longer than the maximum age.
    case expired = "queue.dropped.expired"
    /// It exceeded the maximum number of failed attempts.
    case retriesExhausted = "queue.dropped.refused"
    /// It exceeded the maximum record size.
    case oversized = "queue.dropped.oversized"
    /// Its bytes did not match their checksum, or the file was damaged and only its counts were readable.
    case corrupt = "queue.dropped.corrupt"
}

/// Changes of the caller's counters and marks, applied in the same transaction as a call.
package struct QueueChange: Equatable, Sendable {
    /// Values added to the counters of these names. Names that begin with "queue." belong to the queue.
    package var counters: [String: Int]
    /// Bytes stored under these names; they replace earlier ones.
    package var marks: [String: [UInt8]]
    /// The names of marks to remove.
    package var removedMarks: [String]

    package init(counters: [String: Int] = [:], marks: [String: [UInt8]] = [:], removedMarks: [String] = []) {
        self.counters = counters
        self.marks = marks
        self.removedMarks = removedMarks
    }
}
