import Atomics

/// The records and counts of a region that may have been left in any state.
///
/// Nothing in the region is trusted before it is checked: neither the reserve word nor a length. If there is no header
/// at an offset, the scan tests every eighth byte until it finds one, so a hole hides nothing behind it.
struct RegionScan {
    struct Record: Equatable {
        let offset: Int
        let length: Int
        let labels: RecordLabels
    }

    /// Committed, intact and pending records.
    private(set) var records: [Record] = []
    private(set) var counts = SegmentCounts()
    /// The offset after the last record and the last claim.
    private(set) var end: Int

    init(_ region: Region) {
        var gaps = Gaps()
        var offset = region.start
        end = region.start
        var isLost = false
        while offset + RecordFrame.headerSize <= region.end {
            guard let size = take(at: offset, of: region, isLost: isLost) else {
                gaps.extend(from: offset, hasBytes: region.word(offset).load(ordering: .relaxed) != 0)
                isLost = true
                offset += 8
                continue
            }
            gaps.close(at: offset)
            isLost = false
            offset += size
            end = offset
        }
        count(gaps, region)
    }

    /// Reads the record at `offset` and returns the bytes it spans; `nil` if there is no header.
    private mutating func take(at offset: Int, of region: Region, isLost: Bool) -> Int? {
        guard let frame = region.frame(at: offset), let state = frame.state else { return nil }
        let size = RecordFrame.size(length: frame.length)
        guard offset + size <= region.end else { return nil }
        let isIntact = { region.isIntact(at: offset, length: frame.length) }
        switch state {
        case .reserved:
            counts.torn += 1
        case .committed where isIntact():
            records.append(Record(offset: offset, length: frame.length, labels: region.labels(at: offset)))
        case .completed(let outcome) where !isLost || isIntact():
            counts.completed[outcome, default: 0] += 1
        case .committed, .completed:
            if isLost { return nil }
            counts.torn += 1
        }
        return size
    }

    /// Counts space that was claimed and never written. Uses the region's own count if it agrees with the scan.
    private mutating func count(_ gaps: Gaps, _ region: Region) {
        let found = records.count + counts.torn + counts.completedCount
        if let fill = region.fill, fill.end >= end, fill.end <= region.end {
            let missing = fill.claims - found
            let tail = fill.end - end
            let room = (gaps.closedBytes + tail) / RecordFrame.headerSize
            let least = gaps.closedCount + (tail > 0 ? 1 : 0)
            if missing >= least, missing <= room {
                counts.torn += missing
                counts.claims = fill.claims
                end = fill.end
                return
            }
        }
        counts.torn += gaps.closedCount + (gaps.openHasBytes ? 1 : 0)
        counts.claims = records.count + counts.torn + counts.completedCount
    }

    private struct Gaps {
        private(set) var closedCount = 0
        private(set) var closedBytes = 0
        private(set) var openHasBytes = false
        private var start: Int?

        mutating func extend(from offset: Int, hasBytes: Bool) {
            if start == nil { start = offset }
            if hasBytes { openHasBytes = true }
        }

        mutating func close(at offset: Int) {
            guard let start else { return }
            closedCount += 1
            closedBytes += offset - start
            self.start = nil
            openHasBytes = false
        }
    }
}

/// The record counts of one segment or of several.
struct SegmentCounts: Equatable {
    /// Records whose space was claimed.
    var claims = 0
    /// Claimed records that will never be complete.
    var torn = 0
    var completed: [JournalOutcome: Int] = [:]

    var completedCount: Int { completed.values.reduce(0, +) }

    /// True if a run can have had so many records, and completed no more than it had.
    var isPossible: Bool {
        let parts = [torn] + completed.values
        guard claims <= Self.greatest, parts.allSatisfy({ $0 <= Self.greatest }) else { return false }
        return parts.reduce(0, +) <= claims
    }

    /// 100 records a second for 300 years.
    private static let greatest = 1 << 40

    static func += (left: inout SegmentCounts, right: SegmentCounts) {
        left.claims += right.claims
        left.torn += right.torn
        left.completed.merge(right.completed, uniquingKeysWith: +)
    }
}
