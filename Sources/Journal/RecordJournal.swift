package import AstrolabePlatform
import Atomics

/// A store for records in memory-mapped files, from the moment `append` returns until they are acknowledged.
///
///     let journal = RecordJournal(JournalConfiguration(directory: path), header: encodedResource)
///     let tag = journal.register(encodedScope) ?? 0
///     journal.append(bytes, kind: 1, priority: 1, tag: tag, time: now)      // any thread, any time
///
///     journal.maintain()                                                    // periodically, off the hot path
///     while let lease = journal.lease(maximumRecords: 512, maximumBytes: 1 << 20) {
///         if await send(lease) { journal.acknowledge(lease) } else { journal.release(lease); break }
///     }
///
/// - Appended records survive the end of the process, including `kill -9`, because the bytes are in the system's page
///   cache. They do not survive a loss of power or a kernel panic: nothing is synchronised to the disk.
/// - `append` takes no lock, makes no system call, allocates nothing, and never waits for another thread, unless the
///   configuration has it prepare segments on demand. If there is no room, it refuses the record and counts the refusal
///   by reason.
/// - Nothing here traps or throws, whatever the state of the files. If files cannot be used, memory takes their place
///   and `statistics` reports it. A disk without space for a segment costs no record while memory has room. That
///   segment is in memory, and a later one is in a file again if the disk has space by then. One case cannot be
///   handled: if another program truncates a mapped file, the system ends the process at the next access.
/// - The journal holds a file lock. In a container shared by an app group, iOS ends an app that is suspended while it
///   holds one. Keep the directory in the app's own container.
package final class RecordJournal: Sendable {
    /// The current run.
    package let run: JournalRun

    let configuration: JournalConfiguration
    let ring: SegmentRing
    let file: RunFile
    let reader: Locked<JournalReader>
    /// Segments of the chain that the reader has not seen yet. Upkeep does not wait for the reader, which may be busy
    /// with the records of a burst.
    private let newSegments = Locked<[SegmentReader]>([])
    /// The number of segments that producers prepared.
    private let preparedByProducers = UnsafeAtomic<Int>.create(0)
    /// Held during I/O on purpose: it serializes upkeep. The reader does not take it, and producers only do so if they
    /// prepare segments on demand.
    let upkeep: Locked<Upkeep>
    /// Held during I/O, like `upkeep`, and taken before it. It serializes recovery and the removal of runs.
    let recovery: Locked<Recovery>
    /// Held during I/O, like `upkeep`, and taken before it.
    let overwriting = Locked((), isHeldDuringIO: true)
    let notes: Locked<Notes>
    /// The answer of `hasEarlierRuns`; `nil` before it was asked for.
    private let earlierRuns = Locked<Bool?>(nil, isHeldDuringIO: true)

    /// The state that only the holder of the lock may use, to prepare segments.
    struct Upkeep {
        var directory: RunDirectory?
        /// Highest first, so that the large segments of a burst are used last.
        var freeSlots: [Int] = []
        /// Free slots whose files were shortened, highest first.
        var trimmedSlots: [Int] = []
        /// Slots in memory, because the disk had no space for their files.
        var memorySlots: Set<Int> = []
        /// Those of them that are free. They are used only if there is no other slot.
        var freeMemorySlots: [Int] = []
        /// Why the disk is not used for another segment; `nil` if it may be. Reset by `maintain`.
        var diskProblem: SystemError?
        var rate = FillRate()
        var installed = 0
        /// Short segments that were used and are not used again.
        var retiredShort = 0
        var last: SegmentRing.Link?

        var hasFreeSlots: Bool { !(freeSlots.isEmpty && trimmedSlots.isEmpty && freeMemorySlots.isEmpty) }
    }

    /// The state that only the holder of the lock may use, to recover and remove runs.
    struct Recovery {
        var hasBegun = false
        var isComplete = false
        /// Runs that are not to be recovered: this one, and those that this journal has looked at.
        var seen: [RunID]
    }

    struct Notes {
        var storage: JournalStorage
        var recovery = JournalRecovery.Notes()
        var recoveredRuns = 0
        var refusedDefinitions = 0
        /// The last segment of the chain.
        var lastSegment: SegmentRing.Link?
    }

    /// Begins a run: creates its directory and its first segment. Previous runs are left to `recover`.
    ///
    /// - Parameters:
    ///   - header: Opaque data needed to decode the run's records, stored with them.
    ///   - started: Nanoseconds since 1970.
    /// - Throws: An error if no memory can be allocated.
    package init(
        _ configuration: JournalConfiguration, header: [UInt8], started: UInt64 = SystemTime.wall,
        ids: IDGenerator = IDGenerator(),
    ) throws(SystemError) {
        self.configuration = configuration
        let id = RunID(from: ids)
        run = JournalRun(id: id, started: started, header: header, isRecovered: false)
        ring = SegmentRing(configuration.layout, salt: id.salt, reservePriority: configuration.reservePriority)
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
        upkeep = Locked(Upkeep(directory: directory), isHeldDuringIO: true)
        recovery = Locked(Recovery(seen: [id]), isHeldDuringIO: true)
        prepareSegments(ahead: 0)
    }

    deinit {
        preparedByProducers.destroy()
    }

    /// Copies a record into the journal.
    ///
    /// - Parameters:
    ///   - bytes: Opaque; at most the segment size minus 160 bytes. If they do not fit into the short first segment,
    ///     they are stored in the next.
    ///   - kind: Records of one kind are leased together.
    ///   - priority: Higher priorities are leased first.
    ///   - tag: A registered definition of this run, or any number with a meaning for the caller.
    ///   - time: Nanoseconds, stored for the reader.
    @discardableResult
    package func append(
        _ bytes: UnsafeRawBufferPointer, kind: UInt8, priority: UInt8, tag: UInt16, time: UInt64,
    ) -> JournalAppend {
        let labels = RecordLabels(kind: kind, priority: priority, tag: tag)
        var result = ring.append(bytes, time: time, labels: labels)
        if configuration.preparesOnDemand, isShort(result) {
            result = appendAfterPreparing(bytes, time: time, labels: labels)
        }
        if case .refused(let reason) = result { file.countRefusal(reason) }
        return result
    }

    /// Counts records that the caller had no room for, as refused by a full journal.
    package func countRefused(_ count: Int) {
        file.countRefusal(.full, count)
    }

    /// Appends a record for which no segment was ready: a burst was faster than maintenance, or the record is longer
    /// than the rest of the short first segment.
    @inline(never)
    private func appendAfterPreparing(
        _ bytes: UnsafeRawBufferPointer, time: UInt64, labels: RecordLabels,
    ) -> JournalAppend {
        preparedByProducers.wrappingIncrement(ordering: .relaxed)
        var result = JournalAppend.refused(.notReady)
        // Other threads may fill a segment before this one gets to it.
        var isFull = false
        for _ in 0..<8 where isShort(result) && !isFull {
            // Segments that are leased stay in use however often it is tried.
            isFull = result == .refused(.full)
            if configuration.overwrittenOutcome == nil { prepareSegments(ahead: 1) } else { makeRoom() }
            result = ring.append(bytes, time: time, labels: labels)
        }
        return result
    }

    /// True if the record had no room, and room can be made.
    @inline(__always)
    private func isShort(_ result: JournalAppend) -> Bool {
        result == .refused(.notReady) || configuration.overwrittenOutcome != nil && result == .refused(.full)
    }

    /// Maximum bytes of the segments of this run.
    package var capacity: Int { configuration.maximumBytes }

    /// Bytes of the segments that producers have begun in this run, as often as they were overwritten.
    package var bytesBegun: Int { Int(ring.currentLink?.number ?? 0) * ring.layout.usual }

    /// True if nothing was appended in this run. Two atomic loads.
    package var isUnused: Bool {
        guard let link = ring.currentLink, link.number == 1 else { return false }
        return ring.region(of: link.slot)?.fill?.claims == 0
    }

    /// True if a ring's directory had other runs with records when this was first read, which reads the disk.
    ///
    /// `recover` finds those that have ended.
    package var hasEarlierRuns: Bool {
        guard configuration.overwrittenOutcome != nil else { return false }
        return earlierRuns.withLock { known in
            if let known { return known }
            let found = RunDirectory.all(in: configuration.directory).contains { $0.run != run.id && $0.hasRecords }
            known = found
            return found
        }
    }

    /// True if producers have come so far that `makeRoom` should be called. An atomic load.
    package var needsRoom: Bool { ring.isLow.load(ordering: .relaxed) }

    /// Stores a definition with the run's records and returns its tag, from 1 up; equal bytes have the same tag.
    ///
    /// Returns `nil` if there is no room for another definition. Takes a lock, so call it during setup and not for
    /// every record.
    package func register(_ definition: [UInt8]) -> UInt16? {
        let tag = run.define(definition) { file.define(definition, as: $0) }
        if tag == nil { notes.withLock { $0.refusedDefinitions += 1 } }
        return tag
    }

    /// Refuses all further records and leases, and lets the next journal in this directory recover pending records.
    ///
    /// Call it when no append is in progress and no lease is held. Otherwise a record being appended may be lost, and a
    /// leased record may be leased again by the other journal.
    package func close() {
        ring.close()
        withReader { $0.close() }
    }

    /// Closes the journal and returns its memory and its descriptors. Its records and its counts are gone.
    ///
    /// Call it for a journal that was removed from the disk, if it has to be kept because an append may be in progress.
    /// No lease may be in use.
    package func discard() {
        close()
        upkeep.withLock { _ in
            withReader { $0.discard() }
            ring.discard()
            file.discard()
        }
    }

    /// Accesses the reader's state, with all segments of the chain.
    func withReader<Result>(_ body: (inout JournalReader) -> Result) -> Result {
        reader.withLock { reader in
            let added = newSegments.withLock { segments in
                defer { segments = [] }
                return segments
            }
            for segment in added { reader.add(segment) }
            return body(&reader)
        }
    }

    /// Shows a segment to the reader, before producers see it.
    func addToReader(_ segment: SegmentReader) { newSegments.withLock { $0.append(segment) } }

    /// The current storage of records.
    package var storage: JournalStorage { notes.withLock { $0.storage } }

    package func statistics() -> JournalStatistics {
        let notes = notes.withLock { $0 }
        return withReader { reader in
            reader.advance()
            let runs = Array(reader.earlier) + [reader.current]
            return JournalStatistics(
                storage: notes.storage, current: reader.current.totals, earlier: reader.earlier.map(\.totals),
                pendingRecords: runs.reduce(0) { $0 + $1.pendingCount },
                pendingBytes: runs.reduce(0) { $0 + $1.pendingBytes },
                leasedRecords: runs.reduce(0) { $0 + $1.leasedCount },
                oldestTime: runs.compactMap(\.oldestTime).min(),
                recoveredRecords: notes.recovery.records, recoveredTorn: notes.recovery.torn,
                readySegments: readySegments(last: notes.lastSegment),
                preparedByProducers: preparedByProducers.load(ordering: .relaxed),
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
