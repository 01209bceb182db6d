/// The location and limits of a journal's files.
package struct JournalConfiguration: Sendable {
    /// The directory of all runs; created for the owner alone if it does not exist.
    package var directory: String
    /// Bytes of a segment, 4,096 to 16 MiB; longer records are refused. Default 256 KiB.
    package var segmentSize = 262_144
    /// Bytes of the first segment, which is all that a short run takes from the disk. Default 32 KiB; at most
    /// `segmentSize`.
    package var firstSegmentSize = 32_768
    /// Bytes of each segment beyond the first 4 MiB, up to 16 MiB: only a burst needs them, and to create a file takes
    /// longer than to fill one. Default, and at least, `segmentSize`.
    package var burstSegmentSize = 0
    /// Maximum bytes of all segments of one run, 2 to 254 segments. Default 8 MiB.
    package var maximumBytes = 8_388_608
    /// Maximum bytes of pending records from previous runs that `evictExcess` keeps. Default 8 MiB.
    package var maximumRecoveredBytes = 8_388_608
    /// Maximum number of pending records from previous runs that `evictExcess` keeps. Default 10,000.
    package var maximumRecoveredRecords = 10_000
    /// Maximum number of previous runs that are open at a time: each has a file descriptor. Default 64.
    package var maximumOpenRuns = 64
    /// Number of segments prepared in advance, so that moving to the next one is a single store. Default 4: 1 MiB
    /// between two calls of `maintain`. A burst has more, see `FillRate`. A run that has filled one has two.
    package var segmentsAhead = 4
    /// Lets an append that finds no prepared segment prepare one itself, which takes a lock and system calls, once for
    /// each segment. Otherwise it refuses the record. `JournalStatistics.preparedByProducers` counts it. Default false.
    package var preparesOnDemand = false
    /// Makes the journal a ring of `maximumBytes`: instead of refusing records it overwrites its oldest segment, whose
    /// pending records get this outcome. Default `nil`.
    package var overwrittenOutcome: JournalOutcome?
    /// The lowest priority that may use the last available segment, which reserves room for urgent records. Default 0:
    /// no reserve.
    package var reservePriority: UInt8 = 0
    /// Bytes for the definitions of one run. Default 64 KiB.
    package var definitionBytes = 65_536
    /// Receives the final counts of a previous run that has no pending records, before its files are removed.
    ///
    /// Return `false` to keep the files until the next attempt. The same run can be reported twice if the process is
    /// killed between the call and the removal.
    package var onRetire: (@Sendable (JournalTotals) -> Bool)?

    package init(directory: String) {
        self.directory = directory
    }

    var layout: SegmentLayout {
        let usual = min(max(segmentSize, 4_096), 16_777_216) & ~7
        return SegmentLayout(
            first: min(max(firstSegmentSize, 4_096) & ~7, usual), usual: usual,
            large: min(max(burstSegmentSize & ~7, usual), 16_777_216), maximumBytes: maximumBytes)
    }
}

/// The sizes of a run's segments, by slot: a short one, as many of the usual size as 4 MiB hold, and larger ones.
struct SegmentLayout: Equatable, Sendable {
    /// Bytes of the short segment, which is used once; `usual` if there is none.
    let first: Int
    /// Bytes of the longest segment that a record can rely on.
    let usual: Int
    private let large: Int
    private let usualCount: Int
    /// The number of slots.
    let capacity: Int

    /// Bytes of segments that are in use in a burst. From then on segments are large.
    static let burst = 4_194_304

    init(first: Int, usual: Int, large: Int, maximumBytes: Int) {
        self.first = first
        self.usual = usual
        self.large = large
        let short = first < usual ? 1 : 0
        if large > usual, maximumBytes > Self.burst {
            let count = max(Self.burst / usual, 2)
            usualCount = count + short
            capacity = min(count + max(maximumBytes - count * usual, 0) / large, 254) + short
        } else {
            capacity = min(max(maximumBytes / usual, 2), 254) + short
            usualCount = capacity
        }
    }

    /// Returns true if the slot's segment is the short first one, which is not recycled: a long record needs a whole
    /// one.
    func isShort(_ slot: Int) -> Bool { slot == 0 && first < usual }

    /// Bytes of the segment in a slot, in segments of the usual size; at least 1.
    func weight(of slot: Int) -> Double { max(Double(size(of: slot)) / Double(usual), 1) }

    /// Bytes of the segment in a slot.
    func size(of slot: Int) -> Int { isShort(slot) ? first : (slot < usualCount ? usual : large) }
}
