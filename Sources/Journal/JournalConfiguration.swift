/// The location and limits of a journal's files.
package struct JournalConfiguration: Sendable {
    /// The directory of all runs; created for the owner alone if it does not exist.
    package var directory: String
    /// Bytes of a segment, 4,096 to 16 MiB; longer records are refused. Default 256 KiB.
    package var segmentSize = 262_144
    /// Bytes of the first segment, which is all that a short run takes from the disk. Default 32 KiB; at most
    /// `segmentSize`.
    package var firstSegmentSize = 32_768
    /// Maximum bytes of all segments of one run, 2 to 254 segments. Default 8 MiB.
    package var maximumBytes = 8_388_608
    /// Maximum bytes of pending records from previous runs that `evictExcess` keeps. Default 8 MiB.
    package var maximumRecoveredBytes = 8_388_608
    /// Maximum number of pending records from previous runs that `evictExcess` keeps. Default 10,000.
    package var maximumRecoveredRecords = 10_000
    /// Maximum number of previous runs that are open at a time: each has a file descriptor. Default 64.
    package var maximumOpenRuns = 64
    /// Number of segments prepared in advance, so that moving to the next one is a single store. Default 4: 1 MiB
    /// between two calls of `maintain`. A run that has filled fewer prepares only as many as it has filled.
    package var segmentsAhead = 4
    /// Whether an append that finds no prepared segment prepares one itself, which takes a lock and system calls, once
    /// for each segment. Otherwise it refuses the record. Default false.
    package var preparesOnDemand = false
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

    var boundedSegmentSize: Int { min(max(segmentSize, 4_096), 16_777_216) & ~7 }
    var boundedFirstSize: Int { min(max(firstSegmentSize, 4_096) & ~7, boundedSegmentSize) }
    /// The number of segments, including a short first one, which is used once.
    var segmentCount: Int {
        min(max(maximumBytes / boundedSegmentSize, 2), 254) + (boundedFirstSize < boundedSegmentSize ? 1 : 0)
    }
}
