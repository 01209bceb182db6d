import AstrolabePlatform
import Atomics

extension RecordJournal {
    /// Makes room, and removes previous runs that have no pending records.
    ///
    /// Call it off the hot path, after each flush. The first call recovers previous runs. A concurrent call waits for
    /// the one in progress.
    package func maintain() {
        recover()
        makeRoom()
        removeCompletedSegmentsOfEarlierRuns()
        removeFinishedRuns()
    }

    /// Recycles segments whose records are all completed, and prepares segments ahead of the producers.
    ///
    /// Call it off the hot path, often enough that producers do not fill `segmentsAhead` segments between two calls.
    /// For example, call it whenever `needsRoom`.
    package func makeRoom() {
        ring.isLow.store(false, ordering: .sequentiallyConsistent)
        recycleCompletedSegments()
        let current = Int(ring.currentLink?.number ?? 1)
        let used = upkeep.withLock { upkeep in
            defer { upkeep.lastCurrent = current }
            return current - upkeep.lastCurrent
        }
        // A short run takes little of the disk, and one that fills many segments finds many ready.
        let usual = min(configuration.segmentsAhead, ring.firstSize < ring.segmentSize ? current : .max)
        prepareSegments(ahead: max(usual, min(2 * used, Self.mostAhead)))
    }

    /// The most segments prepared in advance during a burst: 4 MiB, which are filled in about 10 ms.
    private static let mostAhead = 16

    /// Whether segments of 4 MiB, or half of them, hold pending records, so that they should be sent or moved.
    ///
    /// Read it off the hot path, after `makeRoom`.
    package var isFilling: Bool {
        upkeep.withLock { upkeep in
            let free = upkeep.freeSlots.count + upkeep.trimmedSlots.count + upkeep.retiredShort
            let used = upkeep.installed - free - readySegments(last: upkeep.last)
            return used * 2 >= min(ring.capacity, 2 * Self.fillingBytes / ring.segmentSize)
        }
    }

    private static let fillingBytes = 4_194_304

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
            let room = configuration.maximumOpenRuns - reader.withLock { $0.earlier.count }
            guard room > 0 else { return }
            let recovery = JournalRecovery(directory, except: state.seen, limit: room)
            state.seen.formUnion(recovery.seen)
            state.isComplete = recovery.isComplete
            reader.withLock { $0.add(recovered: recovery.runs) }
            notes.withLock { notes in
                notes.recovery += recovery.notes
                notes.recoveredRuns += recovery.runs.count
            }
        }
    }

    /// The number of previous runs recovered so far.
    package var recoveredRuns: Int { notes.withLock { $0.recoveredRuns } }

    /// Whether previous runs are left that `recover` has not come to yet.
    package var hasMoreRuns: Bool { recovery.withLock { !$0.isComplete } }

    /// Evicts pending records of previous runs beyond `maximumRecoveredBytes` and `maximumRecoveredRecords`: the lowest
    /// priority first, then the oldest. Call it if they can be neither delivered nor stored elsewhere.
    package func evictExcess() {
        let (bytes, records) = (configuration.maximumRecoveredBytes, configuration.maximumRecoveredRecords)
        reader.withLock { $0.evictEarlier(keepingBytes: bytes, records: records) }
    }

    private func recycleCompletedSegments() {
        upkeep.withLock { upkeep in
            let current = ring.currentLink
            for segment in reader.withLock({ $0.retireDone(before: current) }) {
                if ring.isShort(segment.slot) {
                    // It stays full and mapped: a producer may just have been about to use it.
                    upkeep.retiredShort += 1
                    if let directory = upkeep.directory {
                        PrivateFiles.removeFile(directory.segmentPath(slot: segment.slot))
                    }
                } else {
                    segment.region.clear()
                    upkeep.freeSlots.append(segment.slot)
                }
            }
            trimFreeSegments(&upkeep)
        }
    }

    /// Returns the disk space of segments that only a burst needed.
    ///
    /// The first bytes stay: a producer may just have been about to use the segment, and must find it full.
    private func trimFreeSegments(_ upkeep: inout Upkeep) {
        guard let directory = upkeep.directory else { return }
        while upkeep.freeSlots.count > 2 * configuration.segmentsAhead, Self.trimmedSize < ring.segmentSize {
            let slot = upkeep.freeSlots.removeLast()
            if let file = try? PrivateFile(directory.segmentPath(slot: slot)), file.truncate(to: Self.trimmedSize) {
                upkeep.trimmedSlots.append(slot)
            } else {
                upkeep.freeSlots.insert(slot, at: 0)
                return
            }
        }
    }

    /// The largest page of any supported device.
    private static let trimmedSize = 16_384

    private func removeCompletedSegmentsOfEarlierRuns() {
        for segment in reader.withLock({ $0.retireDoneOfEarlier() }) {
            if let path = segment.memory?.path { PrivateFiles.removeFile(path) }
        }
    }

    /// Extends the chain until `ahead` segments are ready after the current one, or one if there is no current segment.
    func prepareSegments(ahead: Int) {
        upkeep.withLock { upkeep in
            if upkeep.directory != nil, !file.isLinked {
                switchToMemory(&upkeep, reason: "the directory of the run was removed")
            }
            var shortage = JournalRefusal.notReady
            while upkeep.last == nil || (ring.currentLink != nil && readySegments(last: upkeep.last) < ahead) {
                do throws(SystemError) {
                    guard let slot = try nextSlot(&upkeep), let region = ring.region(of: slot) else {
                        shortage = .full
                        break
                    }
                    let link = SegmentRing.Link(number: (upkeep.last?.number ?? 0) + 1, slot: slot)
                    SegmentHeader.write(number: link.number, run: run.id, to: region)
                    let segment = SegmentReader(following: region, link: link)
                    reader.withLock { $0.add(segment) }
                    ring.publish(link, after: upkeep.last)
                    upkeep.last = link
                    notes.withLock { $0.lastSegment = link }
                } catch {
                    shortage = .diskFull
                    break
                }
            }
            ring.setShortage(shortage)
            let isLast =
                upkeep.freeSlots.isEmpty && upkeep.trimmedSlots.isEmpty && upkeep.installed == ring.capacity
            ring.reserve(isLast || shortage != .notReady ? upkeep.last : nil)
        }
    }

    /// Returns a slot with empty memory, new or recycled; `nil` if all are in use.
    ///
    /// - Throws: An error if the disk is full. For the first segment, uses memory instead.
    private func nextSlot(_ upkeep: inout Upkeep) throws(SystemError) -> Int? {
        if let slot = upkeep.freeSlots.popLast() { return slot }
        while let slot = upkeep.trimmedSlots.last, let directory = upkeep.directory {
            let file = try PrivateFile(directory.segmentPath(slot: slot))
            // A file that was replaced is not the mapped one.
            let isMapped = file.size == Self.trimmedSize
            if isMapped { try file.fill(to: ring.segmentSize) }
            upkeep.trimmedSlots.removeLast()
            if isMapped { return slot }
        }
        let slot = upkeep.installed
        guard slot < ring.capacity else { return nil }
        if let directory = upkeep.directory {
            let path = directory.segmentPath(slot: slot)
            do throws(SystemError) {
                ring.install(try MappedMemory(PrivateFile(path), size: ring.size(of: slot)), in: slot)
                upkeep.installed += 1
                return slot
            } catch {
                PrivateFiles.removeFile(path)
                if error.isDiskFull, upkeep.last != nil { throw error }
                switchToMemory(&upkeep, reason: error.description)
            }
        }
        ring.install(try MappedMemory(anonymous: ring.size(of: slot)), in: slot)
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
            for run in reader.withLock({ $0.finished }) {
                if let onRetire = configuration.onRetire, !onRetire(run.totals) { continue }
                run.directory?.remove()
                reader.withLock { $0.remove(run.run.id) }
            }
        }
    }
}
