/// Where a journal keeps its files, and how much.
package struct JournalConfiguration: Sendable {
    /// The directory of all runs; it is made, for the owner alone, where it is missing.
    package var directory: String
    /// Bytes of a segment, 4,096 to 16 MiB; a longer record is refused. Default 256 KiB.
    package var segmentSize = 262_144
    /// Bytes of all segments of one run, 2 to 255 segments. Default 8 MiB.
    package var maximumBytes = 8_388_608
    /// Bytes of the segments that earlier runs may leave; more is evicted at recovery. Default 8 MiB.
    package var maximumRecoveredBytes = 8_388_608
    /// Segments that are kept prepared, so that rolling over is one store. Default 4: 1 MiB between two calls of
    /// `maintain`.
    package var segmentsAhead = 4
    /// The least priority of what may fill the last segment that can be had, so that a journal full of lesser records
    /// has room for what matters. Default 0: there is no such reserve.
    package var reservePriority: UInt8 = 0
    /// Bytes for the definitions of one run. Default 64 KiB.
    package var definitionBytes = 65_536
    /// Told the final account of an earlier run, none of whose records is pending, before its files are removed;
    /// `false` keeps them for the next try. It may be told the same run again where a kill comes between the answer and
    /// the removal.
    package var onRetire: (@Sendable (JournalTotals) -> Bool)?

    package init(directory: String) {
        self.directory = directory
    }

    var boundedSegmentSize: Int { min(max(segmentSize, 4_096), 16_777_216) & ~7 }
    var segmentCount: Int { min(max(maximumBytes / boundedSegmentSize, 2), 255) }
}
