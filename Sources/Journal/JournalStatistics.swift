/// The record counts of one run: `appended = completed + torn + pending`.
///
/// Exact across kills, because the counts are kept in the run's files.
package struct JournalTotals: Equatable, Sendable {
    package let run: RunID
    /// Records that a producer claimed space for. If a kill interrupted the append, the record also counts as torn.
    package let appended: Int
    package let completed: [JournalOutcome: Int]
    /// Records cut short by a kill or damaged in the file.
    package let torn: Int
    package let refused: [JournalRefusal: Int]

    package var completedCount: Int { completed.values.reduce(0, +) }
    package var pending: Int { appended - completedCount - torn }
}

/// The storage of new records.
package enum JournalStorage: Equatable, Sendable {
    /// In files: a kill loses nothing.
    case files
    /// In memory, for the given reason. Records are delivered as usual, but a kill loses the pending ones. If the disk
    /// is full, those that were recorded before are in files.
    case memory(reason: String)
}

/// A snapshot of the journal's state.
package struct JournalStatistics: Equatable, Sendable {
    package let storage: JournalStorage
    /// The counts of this run.
    package let current: JournalTotals
    /// The counts of previous runs that still have pending records, oldest first.
    package let earlier: [JournalTotals]
    /// Unleased and leased records of all runs.
    package let pendingRecords: Int
    package let pendingBytes: Int
    package let leasedRecords: Int
    /// The earliest time of the unleased records that were appended first in their runs; `nil` if there are none.
    package let oldestTime: UInt64?
    /// Records that `recover()` found in the files of previous runs.
    package let recoveredRecords: Int
    /// Torn or damaged records of previous runs.
    package let recoveredTorn: Int
    /// Prepared segments that hold no records yet.
    package let readySegments: Int
    /// The number of appends that found no prepared segment and prepared one themselves.
    package let preparedByProducers: Int
    /// Bytes of all segments of all runs.
    package let segmentBytes: Int
    /// Runs that another process, or another journal of this process, has open.
    package let runsInUse: Int
    /// Runs written by a newer version of this library; they are left unchanged.
    package let newerRuns: Int
    /// Runs whose file is damaged or cannot be opened. Intact records of damaged runs are recovered.
    package let damagedRuns: Int
    /// Definitions that did not fit.
    package let refusedDefinitions: Int
}
