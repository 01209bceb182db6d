/// The columns of one dataset.
package struct JourneySource: Sendable {
    package let dataset: Dataset
    package let segments: [Segment]

    package init(_ dataset: Dataset, _ segments: [Segment]) {
        self.dataset = dataset
        self.segments = segments
    }
}

/// Distinct values with numbers.
struct ValueTable: Sendable {
    private(set) var values: [QueryValue] = []
    private var indexes: [QueryValue: Int32] = [:]
    private(set) var byteCount = 0

    mutating func index(of value: QueryValue) -> Int32 {
        if let index = indexes[value] { return index }
        let index = Int32(values.count)
        values.append(value)
        indexes[value] = index
        byteCount += 96
        if case .string(let text) = value, text.utf8.count > 15 { byteCount += text.utf8.count + 32 }
        return index
    }
}

/// The records that matter to a question about journeys.
struct JourneyHits: Sendable {
    struct Hit: Sendable {
        /// Numbers of the tables.
        var key: Int32
        var label: Int32
        var time: Int64
        /// The number of the segment and that of the row in it.
        var place: UInt32
        /// The steps that the record fulfils.
        var steps: UInt16

        /// The order of a journey. Of records at the same time, one of an earlier step comes first.
        static func isBefore(_ left: Hit, _ right: Hit) -> Bool {
            if left.key != right.key { return left.key < right.key }
            if left.time != right.time { return left.time < right.time }
            if left.steps != right.steps { return left.steps < right.steps }
            return left.place < right.place
        }
    }

    /// The records of one segment.
    struct Selection {
        /// The steps of each row, 0 for one that does not matter.
        var steps: [UInt16]
        var labels: SegmentScan.Codes?
    }

    private(set) var keys = ValueTable()
    private(set) var labels = ValueTable()
    private(set) var hits: [Hit] = []
    /// Records without a key.
    private(set) var unlinked = 0

    var byteCount: Int { keys.byteCount + labels.byteCount + hits.capacity * MemoryLayout<Hit>.stride }

    fileprivate mutating func add(_ selection: Selection, segment: Int, _ scan: SegmentScan, key: Expression) {
        let codes = scan.codes(of: key)
        let times = scan.times
        let place = UInt32(truncatingIfNeeded: segment) << 16
        var knownKeys = [Int32](repeating: -1, count: codes.values.count)
        var knownLabels = [Int32](repeating: -1, count: selection.labels?.values.count ?? 1)
        for row in selection.steps.indices where selection.steps[row] != 0 {
            let code = Int(codes.codes[row])
            guard !codes.values[code].isMissing else {
                unlinked += 1
                continue
            }
            if knownKeys[code] < 0 { knownKeys[code] = keys.index(of: codes.values[code]) }
            let label = Int(selection.labels?.codes[row] ?? 0)
            if knownLabels[label] < 0 {
                knownLabels[label] = labels.index(of: selection.labels?.values[label] ?? .missing)
            }
            hits.append(
                Hit(
                    key: knownKeys[code], label: knownLabels[label], time: times[row],
                    place: place | UInt32(truncatingIfNeeded: row), steps: selection.steps[row]))
        }
    }

    fileprivate mutating func merge(_ other: JourneyHits) {
        let keyNumbers = other.keys.values.map { keys.index(of: $0) }
        let labelNumbers = other.labels.values.map { labels.index(of: $0) }
        hits.reserveCapacity(hits.count + other.hits.count)
        for var hit in other.hits {
            hit.key = keyNumbers[Int(hit.key)]
            hit.label = labelNumbers[Int(hit.label)]
            hits.append(hit)
        }
        unlinked += other.unlinked
    }

    mutating func sort() { hits.sort(by: Hit.isBefore) }

    /// Calls `body` with the hits of each key, in the order of the journey. The hits must be sorted.
    ///
    /// - Parameter isOver: It is asked now and then whether to end early.
    func forEachJourney(until isOver: () -> Bool, _ body: (ArraySlice<Hit>) -> Void) {
        var start = 0
        var journeys = 0
        while start < hits.count {
            var end = start + 1
            while end < hits.count, hits[end].key == hits[start].key { end += 1 }
            body(hits[start..<end])
            start = end
            journeys += 1
            if journeys % 10_000 == 0, isOver() { return }
        }
    }
}

/// Finds the hits of a question in all segments, on all cores.
struct JourneyScan: Sendable {
    let window: TimeWindow
    let key: Expression
    let limits: QueryEngine.Limits
    let related: (any RelatedRecords)?
    private let sources: [(dataset: Dataset, segment: Segment)]
    let turns: any QueryAdmission

    init(
        over sources: [JourneySource], window: TimeWindow, key: Expression, engine: QueryEngine,
    ) throws(QueryError) {
        self.window = window
        self.key = key
        limits = engine.limits
        related = engine.related
        turns = engine.evaluationAdmission()
        self.sources = sources.flatMap { source in
            source.segments.filter { $0.minTime < window.end && $0.maxTime >= window.start }
                .map { (source.dataset, $0) }
        }
        guard self.sources.count <= Int(UInt16.max) else {
            throw QueryError("The time has more than \(UInt16.max) segments. Ask for a shorter time.")
        }
    }

    /// Returns the hits, sorted.
    ///
    /// - Parameter select: Returns the records of a segment, in the window or not.
    func hits(
        _ select: @escaping @Sendable (SegmentScan) -> JourneyHits.Selection
    ) async throws -> JourneyHits {
        let ranges = limits.turns(over: sources.map { $0.segment.rowCount })
        let workers = max(1, min(limits.workers, ranges.count))
        return try await withThrowingTaskGroup(of: JourneyHits.self) { tasks in
            for worker in 0..<workers {
                tasks.addTask {
                    let own = stride(from: worker, to: ranges.count, by: workers).map { ranges[$0] }
                    return try await hits(of: own, workers: workers, select)
                }
            }
            var all: JourneyHits?
            for try await part in tasks {
                if all == nil {
                    all = part
                } else {
                    try await turns.take { _ in _ = all?.merge(part) }
                }
            }
            if all != nil { try await turns.take { _ in _ = all?.sort() } }
            return all ?? JourneyHits()
        }
    }

    /// - Parameter ranges: The segments that each turn reads.
    private func hits(
        of ranges: [Range<Int>], workers: Int, _ select: (SegmentScan) -> JourneyHits.Selection,
    ) async throws -> JourneyHits {
        var hits = JourneyHits()
        for range in ranges {
            try await turns.take { isOver in
                for index in range { add(index, to: &hits, select, isOver) }
            }
            // Half, because the hits of all workers are put into one list.
            guard hits.byteCount <= limits.bytes / (2 * workers) else {
                throw QueryError(
                    "The journeys need more than \(limits.bytes >> 20) MB of memory. Ask for a shorter time, or for "
                        + "steps that fewer records fulfil.")
            }
            try turns.hold(2 * workers * hits.byteCount)
        }
        return hits
    }

    private func add(
        _ index: Int, to hits: inout JourneyHits, _ select: (SegmentScan) -> JourneyHits.Selection,
        _ isOver: @escaping () -> Bool,
    ) {
        let segment = sources[index].segment
        let scan = SegmentScan(
            segment: segment, dataset: sources[index].dataset, related: related, isOver: isOver)
        var selection = select(scan)
        if segment.minTime < window.start || segment.maxTime >= window.end {
            for (row, time) in scan.times.enumerated() where !window.contains(time) { selection.steps[row] = 0 }
        }
        hits.add(selection, segment: index, scan, key: key)
    }

    /// Returns examples for hits, with the session and the trace of their records.
    func examples(_ hits: [JourneyHits.Hit], keys: ValueTable) -> [JourneyExample] {
        hits.map { hit in
            let source = sources[Int(hit.place >> 16)]
            let record = source.segment.record(at: Int(hit.place & 0xFFFF))
            return JourneyExample(
                key: keys.values[Int(hit.key)],
                session: record.value(ofField: "session.id", in: source.dataset).text,
                trace: record.value(ofField: "trace.id", in: source.dataset).text, time: hit.time)
        }
    }
}

extension RowMask {
    /// Marks the rows in a list of steps.
    func mark(_ step: UInt16, in steps: inout [UInt16]) {
        switch self {
        case .none: break
        case .all: for row in steps.indices { steps[row] |= step }
        case .some(let rows): for row in rows.indices where rows[row] { steps[row] |= step }
        }
    }
}

/// The newest of many hits.
struct NewestHits: Sendable {
    private let limit: Int
    private var hits: [JourneyHits.Hit] = []

    init(limit: Int) {
        self.limit = limit
    }

    mutating func add(_ hit: JourneyHits.Hit, keys: ValueTable) {
        hits.append(hit)
        if hits.count >= 16 * limit { hits = sorted(keys) }
    }

    func sorted(_ keys: ValueTable) -> [JourneyHits.Hit] {
        let ordered = hits.sorted { left, right in
            left.time != right.time
                ? left.time > right.time : keys.values[Int(left.key)] < keys.values[Int(right.key)]
        }
        return Array(ordered.prefix(limit))
    }
}
