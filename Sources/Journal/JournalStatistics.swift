/// The account of one run's records: `appended = settled + torn + pending`.
///
/// Exact over kills: it is kept in the run's files.
package struct JournalTotals: Hashable, Sendable {
    package let run: RunID
    /// Records that a producer found room for; one whose `append` a kill cut short is among them, and torn.
    package var appended: Int
    package var settled: [JournalOutcome: Int]
    /// Cut short by a kill, or damaged in the file.
    package var torn: Int
    package var refused: [JournalRefusal: Int]

    package var settledCount: Int { settled.values.reduce(0, +) }
    package var pending: Int { appended - settledCount - torn }
}

/// Where the records are.
package enum JournalStorage: Hashable, Sendable {
    /// In files: a kill loses nothing.
    case files
    /// In memory, because of the reason: they are delivered as usual, and a kill loses what is pending.
    case memory(reason: String)
}

/// The state of the journal at one moment.
package struct JournalStatistics: Hashable, Sendable {
    package var storage: JournalStorage
    /// The account of this run.
    package var current: JournalTotals
    /// The accounts of earlier runs that still have records pending, oldest first.
    package var earlier: [JournalTotals]
    /// Records that wait or are leased, of all runs.
    package var pendingRecords: Int
    package var pendingBytes: Int
    package var leasedRecords: Int
    /// Records that `recover()` found in the files of earlier runs.
    package var recoveredRecords: Int
    /// Of the records of earlier runs, those that were torn or damaged.
    package var recoveredTorn: Int
    /// Prepared segments that nobody has begun to fill.
    package var readySegments: Int
    /// Bytes of all segments, of all runs.
    package var segmentBytes: Int
    /// Runs that another process, or another journal of this one, has open.
    package var runsInUse: Int
    /// Runs that a later version of this library wrote; they are left alone.
    package var newerRuns: Int
    /// Runs whose file was damaged, or may not be opened; of the former, what was whole of the records was recovered.
    package var damagedRuns: Int
    /// Definitions for which there was no room.
    package var refusedDefinitions: Int
}
