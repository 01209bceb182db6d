/// The location and limits of a journal's files.
package struct JournalConfiguration: Sendable {
    /// The directory of all runs; created for the owner alone if it does not exist.
    package var directory: String
    /// Bytes of a segment, 4,096 to 16 MiB; longer records are refused. Default 256 KiB.
    package var segmentSize = 262_144
    /// Maximum bytes of all segments of one run, 2 to 255 segments. Default 8 MiB.
    package var maximumBytes = 8_388_608
    /// Maximum bytes of segments kept from previous runs; recovery evicts the excess. Default 8 MiB.
    package var maximumRecoveredBytes = 8_388_608
    /// Number of segments prepared in advance, so that moving to the next one is a single store. Default 4: 1 MiB
    /// between two calls of `maintain`.
    package var segmentsAhead = 4
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
    var segmentCount: Int { min(max(maximumBytes / boundedSegmentSize, 2), 255) }
}
