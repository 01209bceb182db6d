import Atomics

/// The reader's position and counts in one segment.
struct SegmentReader {
    let region: Region
    let slot: Int
    let number: UInt32
    /// `nil` for a segment of the running process, whose memory its ring owns.
    let memory: MappedMemory?
    /// True if the next run can recover its records.
    let isInFile: Bool

    private var offset: Int
    /// The producers' own count, as last read.
    private var claims = 0
    /// Records that were claimed but not committed when the reader passed them.
    private var open: [Int] = []
    /// Committed records that the reader has visited.
    private var seen = 0
    /// Counts by outcome.
    private var completed = [Int](repeating: 0, count: JournalOutcome.count)
    private var completedCount = 0
    /// The counts of a scanned segment of a previous run, which no longer changes.
    private var scanned: SegmentCounts?

    /// Follows a segment that producers append to.
    init(following region: Region, link: SegmentRing.Link, isInFile: Bool) {
        self.region = region
        slot = link.slot
        number = link.number
        memory = nil
        self.isInFile = isInFile
        offset = region.start
        scanned = nil
    }

    /// Adopts a scanned segment of a previous run.
    init(scanned counts: SegmentCounts, of region: Region, slot: Int, number: UInt32, memory: MappedMemory) {
        self.region = region
        self.slot = slot
        self.number = number
        self.memory = memory
        isInFile = true
        offset = region.end
        scanned = counts
        seen = counts.claims - counts.torn
        for (outcome, count) in counts.completed { completed[Int(outcome.rawValue)] = count }
        completedCount = counts.completedCount
    }

    /// Visits records committed since the last call.
    ///
    /// A reserved record is skipped and checked again in the next call. A claimed record without a header, a state that
    /// lasts two instructions, stops the visit.
    mutating func advance(_ visit: (_ offset: Int, _ length: Int, _ labels: RecordLabels) -> Void) {
        guard scanned == nil else { return }
        if !open.isEmpty {
            let waiting = open
            open = []
            for offset in waiting { take(offset, visit) }
        }
        let fill = region.fill
        if let fill { claims = fill.claims }
        let end = fill?.end ?? region.end
        var isLost = false
        while offset + RecordFrame.headerSize <= end {
            // Loaded once: a producer may be about to store it.
            let raw = region.word(offset).load(ordering: .acquiring)
            if raw == 0, !isLost { return }
            if let size = recordSize(raw, at: offset, isLost: isLost), offset + size <= end {
                take(offset, visit)
                offset += size
                isLost = false
            } else {
                isLost = true
                offset += 8
            }
        }
    }

    /// `nil` if there is no header. After a damaged header, a record must match its checksum.
    private func recordSize(_ raw: UInt64, at offset: Int, isLost: Bool) -> Int? {
        guard let frame = FrameWord(raw: raw, offset: offset, salt: region.salt) else { return nil }
        let size = RecordFrame.size(length: frame.length)
        guard offset + size <= region.end else { return nil }
        if isLost, frame.state != .reserved, !region.isIntact(at: offset, length: frame.length) { return nil }
        return size
    }

    private mutating func take(_ offset: Int, _ visit: (Int, Int, RecordLabels) -> Void) {
        guard let frame = region.frame(at: offset) else { return }
        switch frame.state {
        case .committed:
            seen += 1
            visit(offset, frame.length, region.labels(at: offset))
        case .reserved: open.append(offset)
        case .completed, nil: break
        }
    }

    mutating func acknowledge(_ offset: Int, as outcome: JournalOutcome) {
        region.acknowledge(at: offset, as: outcome)
        completed[Int(outcome.rawValue)] += 1
        completedCount += 1
    }

    /// Discards a pending record whose header has been damaged since.
    mutating func discard() {
        seen -= 1
        scanned?.torn += 1
    }

    /// Completes all pending records without a word in the file, because the segment is about to be overwritten or
    /// removed.
    mutating func abandon(as outcome: JournalOutcome) {
        let count = pendingCount
        completed[Int(outcome.rawValue)] += count
        completedCount += count
    }

    /// The number of unleased and leased records.
    var pendingCount: Int { seen - completedCount }

    /// The counts so far. Torn records are those that will never be committed.
    var counts: SegmentCounts {
        var counts = scanned ?? SegmentCounts()
        if scanned == nil {
            counts.claims = max(region.fill?.claims ?? claims, seen + open.count)
            counts.torn = isRead ? counts.claims - seen : 0
        }
        for (code, count) in completed.enumerated() where count > 0 {
            if let outcome = JournalOutcome(rawValue: UInt8(code)) { counts.completed[outcome] = count }
        }
        return counts
    }

    /// True if nothing can be added and all records have been visited.
    var isRead: Bool {
        guard scanned == nil else { return true }
        guard region.isSealed, open.isEmpty, let end = region.fill?.end else { return false }
        return offset + RecordFrame.headerSize > end
    }

    /// True if the segment is read and has no pending records.
    var isDone: Bool { isRead && pendingCount == 0 }
}
