import AstrolabePlatform
import Atomics

extension RecordJournal {
    /// Makes room, and removes previous runs that have no pending records.
    ///
    /// Call it off the hot path, after each flush. The first call recovers previous runs. A concurrent call waits for
    /// the one in progress.
    package func maintain() {
        recover()
        // The disk may have space again.
        upkeep.withLock { $0.diskProblem = nil }
        // A ring that is not used takes no more of the disk.
        if configuration.overwrittenOutcome == nil || !isUnused { makeRoom() }
        trimFreeSegments()
        removeCompletedSegmentsOfEarlierRuns()
        removeFinishedRuns()
    }

    /// Recycles segments whose records are all completed, and prepares segments ahead of the producers.
    ///
    /// Call it off the hot path, often enough that producers do not fill the prepared segments between two calls. For
    /// example, call it whenever `needsRoom`.
    package func makeRoom(now: UInt64 = SystemTime.sinceBoot) {
        ring.isLow.store(false, ordering: .sequentiallyConsistent)
        if let outcome = configuration.overwrittenOutcome {
            // However fast it fills: what is prepared holds no records.
            return overwriting.withLock { _ in overwriteOldest(ahead: configuration.segmentsAhead, as: outcome) }
        }
        let link = ring.currentLink
        let current = Int(link?.number ?? 1)
        let weight = ring.layout.weight(of: link?.slot ?? 0)
        let inBurst = upkeep.withLock { $0.rate.segmentsAhead(of: current, weight: weight, at: now) }
        // A short run takes little of the disk, and one that fills many segments finds many ready.
        let usual = min(configuration.segmentsAhead, ring.layout.isShort(0) ? 2 * current : .max)
        prepareSegments(ahead: max(usual, inBurst))
        recycleCompletedSegments()
        // Segments that were recycled, if there was no other room.
        prepareSegments(ahead: max(usual, inBurst))
    }

    /// Completes the records of as many of the oldest segments as are missing, and prepares these for use. One thread
    /// at a time: each would overwrite others for itself.
    private func overwriteOldest(ahead: Int, as outcome: JournalOutcome) {
        recycleCompletedSegments()
        prepareSegments(ahead: ahead)
        guard let current = ring.currentLink else { return }
        let missing = upkeep.withLock { upkeep in
            upkeep.installed == ring.layout.capacity && !upkeep.hasFreeSlots
                ? max(ahead - readySegments(last: upkeep.last), 0) : 0
        }
        guard missing > 0 else { return }
        for _ in 0..<missing where !withReader({ $0.overwriteOldest(before: current, as: outcome) }) { break }
        recycleCompletedSegments()
        prepareSegments(ahead: ahead)
    }

    /// True if segments of 4 MiB, or half of them, hold pending records, so that they should be sent or moved.
    ///
    /// Read it off the hot path: it takes the lock of upkeep.
    package var isFilling: Bool {
        upkeep.withLock { upkeep in
            let free =
                upkeep.freeSlots.count + upkeep.trimmedSlots.count + upkeep.freeMemorySlots.count
                + upkeep.retiredShort
            let used = upkeep.installed - free - readySegments(last: upkeep.last)
            return used * 2 >= min(ring.layout.capacity, 2 * SegmentLayout.burst / ring.layout.usual)
        }
    }

    /// Recovers what previous runs left; `lease` then includes their records. Takes about 1 ms for a few MiB.
    ///
    /// Recovers `maximumOpenRuns` at a time. When some of them are finished and removed, the next call recovers more.
    /// The disk space that a run prepared and did not use is returned. Also runs if the current run is kept in memory,
    /// because it can free space on a full disk.
    package func recover() {
        recovery.withLock { state in
            guard !state.isComplete else { return }
            let directory = configuration.directory
            if !state.hasBegun {
                state.hasBegun = true
                RunDirectory.removeLeftovers(in: directory, now: Int(SystemTime.wall / 1_000_000_000))
            }
            let room = configuration.maximumOpenRuns - withReader { $0.earlier.count }
            guard room > 0 else { return }
            let recovery = JournalRecovery(directory, except: state.seen, limit: room)
            state.seen += recovery.seen
            state.isComplete = recovery.isComplete
            withReader { $0.add(recovered: recovery.runs) }
            notes.withLock { notes in
                notes.recovery += recovery.notes
                notes.recoveredRuns += recovery.runs.count
            }
        }
    }

    /// The number of previous runs recovered so far.
    package var recoveredRuns: Int { notes.withLock { $0.recoveredRuns } }

    /// True if previous runs are left that `recover` has not come to yet.
    package var hasMoreRuns: Bool { recovery.withLock { !$0.isComplete } }

    /// Evicts pending records of previous runs beyond `maximumRecoveredBytes` and `maximumRecoveredRecords`: the lowest
    /// priority first, then the oldest. Call it if they can be neither delivered nor stored elsewhere.
    ///
    /// A ring evicts the oldest run first, and what it evicts counts as overwritten.
    ///
    /// - Returns: How many were evicted.
    @discardableResult
    package func evictExcess() -> Int {
        let (bytes, records) = (configuration.maximumRecoveredBytes, configuration.maximumRecoveredRecords)
        let overwritten = configuration.overwrittenOutcome
        return withReader { $0.evictEarlier(keepingBytes: bytes, records: records, overwritten: overwritten) }
    }

    private func recycleCompletedSegments() {
        let current = ring.currentLink
        let done = withReader { $0.retireDone(before: current) }
        for segment in done where !ring.layout.isShort(segment.slot) { segment.region.clear() }
        guard !done.isEmpty else { return }
        upkeep.withLock { upkeep in
            for segment in done {
                if ring.layout.isShort(segment.slot) {
                    // It stays full and mapped: a producer may just have been about to use it.
                    upkeep.retiredShort += 1
                    if let directory = upkeep.directory {
                        PrivateFiles.removeFile(directory.segmentPath(slot: segment.slot))
                    }
                } else if upkeep.memorySlots.contains(segment.slot) {
                    upkeep.freeMemorySlots.append(segment.slot)
                } else {
                    upkeep.freeSlots.append(segment.slot)
                }
            }
            upkeep.freeSlots.sort(by: >)
        }
    }

    /// Returns the disk space of segments that only a burst needed.
    ///
    /// The first bytes stay: a producer may just have been about to use the segment, and must find it full.
    ///
    /// A ring uses all of its segments again, and could not on a disk that is full meanwhile.
    private func trimFreeSegments() {
        guard configuration.overwrittenOutcome == nil else { return }
        upkeep.withLock { upkeep in
            guard let directory = upkeep.directory, Self.trimmedSize < ring.layout.usual else { return }
            while upkeep.freeSlots.count > 2 * configuration.segmentsAhead, let slot = upkeep.freeSlots.first {
                guard let file = try? PrivateFile(directory.segmentPath(slot: slot)),
                    file.truncate(to: Self.trimmedSize)
                else { return }
                upkeep.freeSlots.removeFirst()
                upkeep.trimmedSlots.append(slot)
                upkeep.trimmedSlots.sort(by: >)
            }
        }
    }

    /// The largest page of any supported device.
    private static let trimmedSize = 16_384

    private func removeCompletedSegmentsOfEarlierRuns() {
        for segment in withReader({ $0.retireDoneOfEarlier() }) {
            if let path = segment.memory?.path { PrivateFiles.removeFile(path) }
        }
    }

    /// Extends the chain until `ahead` segments are ready after the current one, or one if there is no current segment.
    ///
    /// Takes the lock for each segment, so that a producer which needs one does not wait for all of them.
    func prepareSegments(ahead: Int) {
        while upkeep.withLock({ prepareSegment(&$0, ahead: ahead) }) {}
    }

    /// Returns whether it has prepared one, so that more may be missing.
    private func prepareSegment(_ upkeep: inout Upkeep, ahead: Int) -> Bool {
        if upkeep.directory != nil, !file.isLinked {
            switchToMemory(&upkeep, reason: "the directory of the run was removed")
        }
        var shortage = JournalRefusal.notReady
        var isPrepared = false
        if upkeep.last == nil || (ring.currentLink != nil && hasReady(upkeep.last, fewerThan: ahead)) {
            do throws(SystemError) {
                if let slot = try nextSlot(&upkeep), let region = ring.region(of: slot) {
                    let link = SegmentRing.Link(number: (upkeep.last?.number ?? 0) + 1, slot: slot)
                    SegmentHeader.write(number: link.number, run: run.id, to: region)
                    let isInFile = upkeep.directory != nil && !upkeep.memorySlots.contains(slot)
                    addToReader(SegmentReader(following: region, link: link, isInFile: isInFile))
                    ring.publish(link, after: upkeep.last)
                    upkeep.last = link
                    notes.withLock { notes in
                        notes.lastSegment = link
                        if isInFile { notes.storage = .files }
                    }
                    isPrepared = true
                } else {
                    shortage = .full
                }
            } catch {
                shortage = .diskFull
            }
        }
        ring.setShortage(shortage)
        let isLast = !upkeep.hasFreeSlots && upkeep.installed == ring.layout.capacity
        ring.reserve(isLast || shortage != .notReady ? upkeep.last : nil)
        return isPrepared
    }

    /// Returns true if fewer than this many segments of the usual size are ready, or none.
    private func hasReady(_ last: SegmentRing.Link?, fewerThan ahead: Int) -> Bool {
        let ready = readySegments(last: last)
        return ready == 0 ? ahead > 0 : Double(ready) * ring.layout.weight(of: last?.slot ?? 0) < Double(ahead)
    }

    /// Returns a slot with empty memory, new or recycled; `nil` if all are in use.
    ///
    /// If the disk has no space for its file, the segment is in memory. The disk is then not tried again before the
    /// next `maintain`, because each attempt takes the rest of the disk for a moment.
    ///
    /// - Throws: An error if neither the disk nor memory has room.
    private func nextSlot(_ upkeep: inout Upkeep) throws(SystemError) -> Int? {
        if let slot = upkeep.freeSlots.popLast() { return slot }
        if let directory = upkeep.directory, upkeep.diskProblem == nil {
            do throws(SystemError) {
                if let slot = try slotInFile(of: directory, &upkeep) { return slot }
            } catch {
                upkeep.diskProblem = error
                notes.withLock { $0.storage = .memory(reason: error.description) }
            }
        }
        if let slot = upkeep.freeMemorySlots.popLast() { return slot }
        let slot = upkeep.installed
        guard slot < ring.layout.capacity else {
            // Files that were shortened cannot grow again.
            if let problem = upkeep.diskProblem, !upkeep.trimmedSlots.isEmpty { throw problem }
            return nil
        }
        ring.install(try MappedMemory(anonymous: ring.layout.size(of: slot)), in: slot)
        upkeep.memorySlots.insert(slot)
        upkeep.installed += 1
        return slot
    }

    /// Returns a slot whose file takes space from the disk; `nil` if all slots are in use.
    private func slotInFile(of directory: RunDirectory, _ upkeep: inout Upkeep) throws(SystemError) -> Int? {
        while let slot = upkeep.trimmedSlots.last {
            let file = try PrivateFile(directory.segmentPath(slot: slot))
            // A file that was replaced is not the mapped one.
            let isMapped = file.size == Self.trimmedSize
            if isMapped {
                do throws(SystemError) {
                    try file.fill(to: ring.layout.size(of: slot))
                } catch {
                    file.truncate(to: Self.trimmedSize)
                    throw error
                }
            }
            upkeep.trimmedSlots.removeLast()
            if isMapped {
                ring.region(of: slot)?.touch()
                return slot
            }
        }
        let slot = upkeep.installed
        guard slot < ring.layout.capacity else { return nil }
        let path = directory.segmentPath(slot: slot)
        do throws(SystemError) {
            ring.install(try MappedMemory(PrivateFile(path), size: ring.layout.size(of: slot)), in: slot)
        } catch {
            PrivateFiles.removeFile(path)
            throw error
        }
        if !ring.layout.isShort(slot) { ring.region(of: slot)?.touch() }
        upkeep.installed += 1
        return slot
    }

    /// Continues in memory.
    private func switchToMemory(_ upkeep: inout Upkeep, reason: String) {
        upkeep.directory = nil
        notes.withLock { $0.storage = .memory(reason: reason) }
    }

    private func removeFinishedRuns() {
        recovery.withLock { _ in
            for run in withReader({ $0.finished }) {
                if let onRetire = configuration.onRetire, !onRetire(run.totals) { continue }
                run.directory?.remove()
                withReader { $0.remove(run.run.id) }
            }
        }
    }
}
