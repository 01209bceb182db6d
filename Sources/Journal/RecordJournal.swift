package import AstrolabePlatform

/// Keeps records in memory-mapped files from the moment `append` returns, until somebody has taken them on.
///
///     let journal = RecordJournal(JournalConfiguration(directory: path), header: encodedResource)
///     let tag = journal.register(encodedScope) ?? 0
///     journal.append(bytes, kind: 1, priority: 1, tag: tag, time: now)      // any thread, any time
///
///     journal.maintain()                                                    // now and then, off the hot path
///     while let lease = journal.lease(maximumRecords: 512, maximumBytes: 1 << 20) {
///         if await send(lease) { journal.acknowledge(lease) } else { journal.release(lease); break }
///     }
///
/// - What is appended survives the end of the process, `kill -9` included: the bytes are in the page cache, which is
///   the system's. It does not survive the loss of power, nor a panic of the system: nothing is synchronised to the
///   disk.
/// - `append` takes no lock, calls no system function, allocates nothing, and never waits for another thread. Where
///   there is no room it refuses the record and counts that by reason.
/// - Nothing here traps or throws, whatever state the files are in. Where there can be no files, memory takes their
///   place and `statistics` says so. The one thing that cannot be guarded against: somebody who shortens a file while
///   it is mapped, after which the system ends the process at the next access.
/// - In a container that apps of a group share, iOS ends an app that is suspended while it holds a file's lock, as a
///   journal does. Keep the directory in the app's own container.
package final class RecordJournal: Sendable {
    /// This run.
    package let run: JournalRun

    let configuration: JournalConfiguration
    let ring: SegmentRing
    let file: RunFile
    let reader: Locked<JournalReader>
    /// The lock is held during I/O on purpose: it is what puts upkeep in a row. Neither producers nor the reader take
    /// it.
    let upkeep: Locked<Upkeep>
    let notes: Locked<Notes>

    /// What only the one who holds it may do: prepare segments, recover, remove.
    struct Upkeep {
        var directory: RunDirectory?
        var freeSlots: [Int] = []
        var installed = 0
        var last: SegmentRing.Link?
        var hasRecovered = false
    }

    struct Notes {
        var storage: JournalStorage
        var recovery = JournalRecovery.Notes()
        var refusedDefinitions = 0
        /// The last segment of the chain.
        var lastSegment: SegmentRing.Link?
    }

    /// Begins a run: makes its directory and its first segment. Earlier runs are left for `recover`.
    ///
    /// - Parameters:
    ///   - header: What the run's records need to be understood, kept with them: opaque.
    ///   - started: Nanoseconds since 1970.
    /// - Throws: Where the system has not even memory to give.
    package init(
        _ configuration: JournalConfiguration, header: [UInt8], started: UInt64 = SystemTime.wall,
        ids: IDGenerator = IDGenerator(),
    ) throws(SystemError) {
        self.configuration = configuration
        let id = RunID(from: ids)
        run = JournalRun(id: id, started: started, header: header, isRecovered: false)
        ring = SegmentRing(
            segmentSize: configuration.boundedSegmentSize, capacity: configuration.segmentCount, salt: id.salt,
            reservePriority: configuration.reservePriority,
        )
        let room = configuration.definitionBytes
        let place = RunDirectory(journal: configuration.directory, run: id)
        let directory: RunDirectory?
        let storage: JournalStorage
        do throws(SystemError) {
            file = try place.make(started: started, header: header, definitionBytes: room)
            directory = place
            storage = .files
        } catch {
            file = try RunFile(nil, size: RunFile.size(header: header.count, room: room), run: id)
            file.initialize(run: id, started: started, header: header)
            directory = nil
            storage = .memory(reason: error.description)
        }
        reader = Locked(JournalReader(RunReader(run, file: file, directory: directory)))
        notes = Locked(Notes(storage: storage))
        upkeep = Locked(Upkeep(directory: directory))
        prepareSegments(ahead: 0)
    }

    /// Copies a record into the journal.
    ///
    /// - Parameters:
    ///   - bytes: Opaque; at most a segment less 160 bytes.
    ///   - kind: Records of one kind are leased together.
    ///   - priority: Higher goes first.
    ///   - tag: Of a definition of this run, or any number that means something to the caller.
    ///   - time: Nanoseconds, kept for the reader.
    @discardableResult
    package func append(
        _ bytes: UnsafeRawBufferPointer, kind: UInt8, priority: UInt8, tag: UInt16, time: UInt64,
    ) -> JournalAppend {
        let labels = RecordLabels(kind: kind, priority: priority, tag: tag)
        let result = ring.append(bytes, time: time, labels: labels)
        if case .refused(let reason) = result { file.countRefusal(reason) }
        return result
    }

    /// Keeps what a tag means with the run's records, and gives the tag: 1 and up, the same for the same bytes.
    ///
    /// `nil` where there is no room for another definition. Takes a lock; for set-up, not for every record.
    package func register(_ definition: [UInt8]) -> UInt16? {
        let tag = run.define(definition) { file.define(definition, as: $0) }
        if tag == nil { notes.withLock { $0.refusedDefinitions += 1 } }
        return tag
    }

    /// Refuses all records and leases from now on, and lets the next journal at this directory recover what is pending.
    ///
    /// For when nobody appends or holds a lease any more: a record whose `append` is under way may be lost to the one
    /// that recovers, and one that is leased may be given out by it too.
    package func close() {
        ring.close()
        reader.withLock { $0.close() }
    }

    package func statistics() -> JournalStatistics {
        let notes = notes.withLock { $0 }
        return reader.withLock { reader in
            reader.advance()
            let runs = Array(reader.earlier) + [reader.current]
            return JournalStatistics(
                storage: notes.storage, current: reader.current.totals, earlier: reader.earlier.map(\.totals),
                pendingRecords: runs.reduce(0) { $0 + $1.pendingCount },
                pendingBytes: runs.reduce(0) { $0 + $1.pendingBytes },
                leasedRecords: runs.reduce(0) { $0 + $1.leasedCount },
                recoveredRecords: notes.recovery.records, recoveredTorn: notes.recovery.torn,
                readySegments: readySegments(last: notes.lastSegment),
                segmentBytes: runs.reduce(0) { $0 + $1.segmentBytes },
                runsInUse: notes.recovery.runsInUse, newerRuns: notes.recovery.newerRuns,
                damagedRuns: notes.recovery.damagedRuns, refusedDefinitions: notes.refusedDefinitions,
            )
        }
    }

    func readySegments(last: SegmentRing.Link?) -> Int {
        guard let last, let current = ring.currentLink else { return 0 }
        return Int(last.number &- current.number)
    }
}
