/// The reader's view of one run: its segments, pending records, and counts.
struct RunReader {
    let run: JournalRun
    let file: RunFile
    /// The run's directory; `nil` for a run in memory.
    let directory: RunDirectory?
    /// Oldest first; `keys` holds their stable identifiers.
    private var segments: [SegmentReader] = []
    private var keys: [UInt32] = []
    private var nextKey: UInt32 = 0
    private var pending = PendingIndex()
    private(set) var leasedCount = 0
    private(set) var pendingBytes = 0

    /// The limits of a lease.
    struct Limits {
        var records: Int
        var bytes: Int
        /// `nil` for all.
        var kinds: Set<UInt8>?
        var minimumPriority: UInt8
    }

    /// Leased records of one priority, in order of age.
    struct Taken {
        var priority: UInt8
        var references: [RecordReference] = []
    }

    init(_ run: JournalRun, file: RunFile, directory: RunDirectory?) {
        self.run = run
        self.file = file
        self.directory = directory
    }

    /// Adds a segment newer than all others. For a scanned segment, `records` are its pending records.
    mutating func add(_ segment: SegmentReader, records: [RegionScan.Record] = []) {
        let key = nextKey
        nextKey += 1
        segments.append(segment)
        keys.append(key)
        for record in records {
            pending.insert(RecordReference(segment: key, offset: record.offset), labels: record.labels)
            pendingBytes += record.length
        }
    }

    /// Finds records committed since the last call.
    mutating func advance() {
        for (index, key) in keys.enumerated() {
            segments[index].advance { offset, length, labels in
                pending.insert(RecordReference(segment: key, offset: offset), labels: labels)
                pendingBytes += length
            }
        }
    }

    func mostUrgent(of kinds: Set<UInt8>?) -> (priority: UInt8, kind: UInt8)? { pending.mostUrgent(of: kinds) }

    func highestPriority(ofKind kind: UInt8) -> UInt8? { pending.priorities(ofKind: kind).first }

    /// Takes records of one kind, most urgent first, then oldest first; at least one, regardless of its length.
    mutating func take(kind: UInt8, _ limits: Limits) -> (batches: [Taken], records: [JournalLease.Record], bytes: Int)
    {
        var batches: [Taken] = []
        var records: [JournalLease.Record] = []
        var bytes = 0
        filling: for priority in pending.priorities(ofKind: kind) where priority >= limits.minimumPriority {
            var batch = Taken(priority: priority)
            defer { if !batch.references.isEmpty { batches.append(batch) } }
            while let reference = pending.first(priority: priority, kind: kind) {
                guard let record = record(reference) else {
                    pending.removeFirst(priority: priority, kind: kind)
                    if let index = index(of: reference) { segments[index].discard() }
                    continue
                }
                let fits = records.count < limits.records && bytes + record.bytes.count <= limits.bytes
                guard records.isEmpty || fits else { break filling }
                pending.removeFirst(priority: priority, kind: kind)
                batch.references.append(reference)
                records.append(record)
                bytes += record.bytes.count
            }
        }
        leasedCount += records.count
        return (batches, records, bytes)
    }

    /// The time of the unleased record that was appended first; `nil` if there is none.
    var oldestTime: UInt64? { pending.oldest.flatMap { record($0)?.time } }

    private func record(_ reference: RecordReference) -> JournalLease.Record? {
        Self.record(reference, keys, segments)
    }

    private static func record(
        _ reference: RecordReference, _ keys: [UInt32], _ segments: [SegmentReader],
    ) -> JournalLease.Record? {
        guard let index = index(of: reference.segment, in: keys) else { return nil }
        let region = segments[index].region
        let offset = reference.offset
        guard let frame = region.frame(at: offset) else { return nil }
        let labels = region.labels(at: offset)
        return JournalLease.Record(
            priority: labels.priority, tag: labels.tag, sequence: region.sequence(at: offset),
            time: region.time(at: offset), bytes: region.payload(at: offset, length: frame.length),
        )
    }

    /// Takes the records of one kind that `isWanted` names, most urgent first, until they have so many bytes.
    mutating func take(
        kind: UInt8, maximumBytes: Int, where isWanted: (JournalLease.Record) -> Bool,
    ) -> (batches: [Taken], records: [JournalLease.Record], bytes: Int) {
        var batches: [Taken] = []
        var records: [JournalLease.Record] = []
        var bytes = 0
        for priority in pending.priorities(ofKind: kind) {
            let references = pending.remove(priority: priority, kind: kind) { [keys, segments] reference in
                guard bytes < maximumBytes, let record = Self.record(reference, keys, segments), isWanted(record)
                else { return false }
                records.append(record)
                bytes += record.bytes.count
                return true
            }
            if !references.isEmpty { batches.append(Taken(priority: priority, references: references)) }
        }
        leasedCount += records.count
        return (batches, records, bytes)
    }

    /// The unleased records of a priority and kind, oldest first.
    func records(priority: UInt8, kind: UInt8) -> [JournalLease.Record] {
        pending.all(priority: priority, kind: kind).compactMap(record)
    }

    /// Completes the pending records of the oldest segment that producers have left and that is not leased, so that it
    /// can be used again. Returns false if there is none.
    mutating func overwriteOldest(
        before current: SegmentRing.Link, except leased: Set<UInt32>, as outcome: JournalOutcome,
    ) -> Bool {
        let oldest = segments.indices.first { index in
            let segment = segments[index]
            return segment.number < current.number && segment.isRead && segment.pendingCount > 0
                && !leased.contains(keys[index])
        }
        guard let oldest else { return false }
        let (key, region) = (keys[oldest], segments[oldest].region)
        for gone in pending.remove(where: { $0.segment == key }) {
            pendingBytes -= region.frame(at: gone.offset)?.length ?? 0
        }
        segments[oldest].abandon(as: outcome)
        return true
    }

    /// Completes all pending records, unless some are leased.
    mutating func abandon(as outcome: JournalOutcome) {
        guard leasedCount == 0 else { return }
        for index in segments.indices { segments[index].abandon(as: outcome) }
        pending = PendingIndex()
        pendingBytes = 0
    }

    /// Ends a lease and stores the outcomes of its records.
    mutating func acknowledge(
        _ batches: [Taken], as outcome: JournalOutcome, exceptLast count: Int, as other: JournalOutcome,
    ) {
        var others = batches.reduce(-count) { $0 + $1.references.count }
        for batch in batches {
            for reference in batch.references {
                acknowledge(reference, as: others > 0 ? outcome : other)
                others -= 1
            }
            leasedCount -= batch.references.count
        }
    }

    private mutating func acknowledge(_ reference: RecordReference, as outcome: JournalOutcome) {
        guard let index = index(of: reference) else { return }
        pendingBytes -= segments[index].region.frame(at: reference.offset)?.length ?? 0
        segments[index].acknowledge(reference.offset, as: outcome)
    }

    private func index(of reference: RecordReference) -> Int? { Self.index(of: reference.segment, in: keys) }

    private static func index(of key: UInt32, in keys: [UInt32]) -> Int? {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low] == key ? low : nil
    }

    /// Ends a lease and makes its records pending again.
    mutating func release(_ batches: [Taken], kind: UInt8) {
        for batch in batches {
            pending.insert(sorted: batch.references, priority: batch.priority, kind: kind)
            leasedCount -= batch.references.count
        }
    }

    /// Acknowledges pending records by their sequence numbers; returns how many there were.
    mutating func acknowledge(sequences: Set<UInt64>, as outcome: JournalOutcome) -> Int {
        let found = pending.remove { [keys, segments] reference in
            guard let index = Self.index(of: reference.segment, in: keys) else { return false }
            return sequences.contains(segments[index].region.sequence(at: reference.offset))
        }
        for reference in found { acknowledge(reference, as: outcome) }
        return found.count
    }

    /// The number of unleased and leased records.
    var pendingCount: Int { segments.reduce(0) { $0 + $1.pendingCount } }

    /// Segments before `current` whose records are all completed, so that producers no longer use them.
    func done(before current: SegmentRing.Link?) -> [SegmentReader] {
        segments.filter { segment in
            segment.isDone && current.map { segment.number < $0.number } ?? true
        }
    }

    /// Adds finished segments to the run's counts, removes them from the reader and returns them.
    ///
    /// The file counts each segment before its header is invalidated, so that a kill between the two steps counts it
    /// once.
    mutating func retireDone(before current: SegmentRing.Link? = nil) -> [SegmentReader] {
        let done = done(before: current)
        for segment in done {
            file.retire(
                segment.counts, slot: segment.slot, number: segment.number, isInFile: segment.isInFile)
            SegmentHeader.invalidate(segment.region)
            guard let index = segments.firstIndex(where: { $0.slot == segment.slot && $0.number == segment.number })
            else { continue }
            segments.remove(at: index)
            keys.remove(at: index)
        }
        return done
    }

    /// Stores the counts of segments that are not retired, for a next run that does not find them.
    func noteCounts() {
        var volatile = SegmentCounts()
        var appended = 0
        for segment in segments {
            var counts = segment.counts
            if segment.isInFile {
                appended += counts.claims
            } else {
                counts.torn = counts.claims - counts.completedCount
                volatile += counts
            }
        }
        file.note(volatile: volatile, appended: appended)
    }

    /// Counts the records of segments that were not found.
    func countMissing() { file.countMissing(found: counts.claims) }

    /// Evicts the oldest unleased record of a priority; false if there is none.
    mutating func evictOldest(priority: UInt8, as outcome: JournalOutcome) -> Bool {
        guard let reference = pending.removeOldest(priority: priority) else { return false }
        acknowledge(reference, as: outcome)
        return true
    }

    /// The priorities with unleased records.
    var priorities: Set<UInt8> { pending.priorities }

    /// Bytes of all segments.
    var segmentBytes: Int { segments.reduce(0) { $0 + $1.region.end } }

    /// The counts of the whole run.
    var counts: SegmentCounts {
        segments.reduce(into: file.retired) { $0 += $1.counts }
    }

    /// The run's counts as reported to the caller.
    var totals: JournalTotals {
        let counts = counts
        return JournalTotals(
            run: run.id, appended: counts.claims, completed: counts.completed, torn: counts.torn,
            refused: run.isRecovered ? file.checkedRefusals : file.refused,
        )
    }
}
