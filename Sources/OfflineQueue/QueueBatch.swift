/// Records on their way into the queue, copied into one stretch of memory.
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
        let refusals: Int
        /// An index in `headers`.
        let header: Int
        let range: Range<Int>
    }

    private(set) var records: [Record] = []
    private(set) var headers: [[UInt8]] = []
    private(set) var bytes: [UInt8] = []

    package init() {}

    package var count: Int { records.count }

    /// Copies a record to the end.
    ///
    /// - Parameters:
    ///   - priority: 0...3; more is 3.
    ///   - time: Nanoseconds since 1970, until the year 2262; more is that.
    ///   - header: What the record needs to be understood: opaque, stored once for all records that share it.
    ///   - refusals: How often the server has refused the record already. Default 0.
    package mutating func append(
        _ payload: UnsafeRawBufferPointer, kind: UInt8, priority: UInt8, time: UInt64, header: [UInt8],
        refusals: Int = 0,
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
        records.append(
            Record(
                kind: kind, priority: min(priority, 3), time: time, refusals: refusals, header: index,
                range: start..<bytes.count,
            ))
    }

    package mutating func append(_ payload: [UInt8], kind: UInt8, priority: UInt8, time: UInt64, header: [UInt8]) {
        payload.withUnsafeBytes { append($0, kind: kind, priority: priority, time: time, header: header) }
    }
}

/// What became of a batch, with what had to go to make room for it.
package struct QueueReceipt: Hashable, Sendable {
    /// Records of the batch, whatever became of them.
    package var enqueued = 0
    /// Records that were given up in this transaction: new ones, and old ones.
    package var dropped: [QueueDrop: Int] = [:]
}

/// Why the queue gave a record up. The raw value is the name of its counter in the ledger.
package enum QueueDrop: String, Hashable, Sendable, CaseIterable {
    /// There was no room, and it was of the lowest priority, and the oldest of that.
    case evicted = "queue.dropped.evicted"
    /// It had been made too long ago.
    case expired = "queue.dropped.expired"
    /// The server refused it once too often.
    case refusedTooOften = "queue.dropped.refused"
    /// It was longer than a record may be.
    case oversized = "queue.dropped.oversized"
    /// Its bytes were not those that were stored, or the whole file was damaged and its counts were still readable.
    case corrupt = "queue.dropped.corrupt"
}

/// What is to change in the caller's own books together with a call, in the same transaction.
package struct QueueChange: Hashable, Sendable {
    /// Added to counters of these names; names that begin with "queue." are the queue's own.
    package var counters: [String: Int]
    /// Bytes that are kept under these names, in the place of those before.
    package var marks: [String: [UInt8]]
    /// The names of marks that go.
    package var removedMarks: [String]

    package init(counters: [String: Int] = [:], marks: [String: [UInt8]] = [:], removedMarks: [String] = []) {
        self.counters = counters
        self.marks = marks
        self.removedMarks = removedMarks
    }
}
