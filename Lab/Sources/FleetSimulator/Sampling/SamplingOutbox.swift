/// The records of a phone that wait to be sent: in the journal, then in the queue, with the queue's bounds.
struct SamplingOutbox: Sendable {
    struct Entry: Sendable {
        /// The action that it belongs to; -1 for metrics.
        let action: Int
        let part: RecordCosts.Part
        let count: Int
    }

    private let costs: RecordCosts
    private let limits: RecorderLimits
    /// Those of the queue come first.
    private var queue: ArraySlice<Entry> = []
    private var journal: [Entry] = []
    private var queued = (records: 0, bytes: 0)
    /// The number of records, by part.
    private var counts = Array(repeating: 0, count: RecordCosts.Part.allCases.count)
    /// Bytes written to the journal and the queue.
    private(set) var written = 0

    init(_ costs: RecordCosts, _ limits: RecorderLimits) {
        self.costs = costs
        self.limits = limits
    }

    var isEmpty: Bool { queue.isEmpty && journal.isEmpty }

    mutating func append(_ entry: Entry) {
        journal.append(entry)
        counts[entry.part.rawValue] += entry.count
        written += entry.count * costs.frame(entry.part)
    }

    /// Adds records of the ring to the queue.
    ///
    /// - Returns: Those that it drops for them.
    mutating func enqueue(_ entry: Entry) -> [Entry] {
        counts[entry.part.rawValue] += entry.count
        return move(entry)
    }

    private mutating func move(_ entry: Entry) -> [Entry] {
        let bytes = entry.count * costs.payload(entry.part)
        written += bytes
        queue.append(entry)
        queued.records += entry.count
        queued.bytes += bytes
        var dropped: [Entry] = []
        while queued.records > limits.queueRecords || queued.bytes > limits.queueBytes, let first = queue.popFirst() {
            counts[first.part.rawValue] -= first.count
            queued.records -= first.count
            queued.bytes -= first.count * costs.payload(first.part)
            dropped.append(first)
        }
        return dropped
    }

    /// Moves the journal to the queue, because nothing can be sent.
    mutating func store() -> [Entry] {
        let entries = journal
        journal.removeAll(keepingCapacity: true)
        return entries.flatMap { move($0) }
    }

    /// Bytes of the requests that carry everything: those with spans, and the others.
    var requests: (traces: Int, others: Int) {
        var bytes = (traces: 0, others: 0)
        for part in RecordCosts.Part.allCases {
            let sent = costs.sent(part, counts[part.rawValue])
            if part.isSpan { bytes.traces += sent } else { bytes.others += sent }
        }
        return bytes
    }

    /// Removes and returns everything.
    mutating func takeAll() -> [Entry] {
        let entries = queue.isEmpty ? journal : Array(queue) + journal
        (queue, journal, queued) = ([], [], (0, 0))
        for part in counts.indices { counts[part] = 0 }
        return entries
    }
}
