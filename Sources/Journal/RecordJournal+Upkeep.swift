import AstrolabePlatform

extension RecordJournal {
    /// Makes room, and removes previous runs that have no pending records.
    ///
    /// Call it off the hot path, after each flush. The first call recovers previous runs. A concurrent call waits for
    /// the one in progress.
    package func maintain() {
        recover()
        makeRoom()
        removeFinishedRuns()
    }

    /// Recycles segments whose records are all completed, and prepares segments ahead of the producers.
    ///
    /// Call it off the hot path, often enough that producers do not fill `segmentsAhead` segments between two calls.
    /// For example, call it whenever a new segment is started.
    package func makeRoom() {
        recycleCompletedSegments()
        prepareSegments(ahead: configuration.segmentsAhead)
    }

    /// Whether at least half of this run's segments hold pending records, so that they should be sent or moved.
    ///
    /// Read it off the hot path, after `makeRoom`.
    package var isFilling: Bool {
        upkeep.withLock { upkeep in
            let used = upkeep.installed - upkeep.freeSlots.count - readySegments(last: upkeep.last)
            return used * 2 >= ring.capacity
        }
    }

    /// Recovers what previous runs left, once; `lease` then includes their records. Takes about 1 ms for a few MiB.
    ///
    /// Also runs if the current run is kept in memory, because it can free space on a full disk.
    package func recover() {
        upkeep.withLock { upkeep in
            guard !upkeep.hasRecovered else { return }
            upkeep.hasRecovered = true
            let directory = configuration.directory
            RunDirectory.removeLeftovers(in: directory, now: Int(SystemTime.wall / 1_000_000_000))
            let recovery = JournalRecovery(directory, except: run.id)
            notes.withLock { $0.recovery = recovery.notes }
            reader.withLock { reader in
                reader.add(recovered: recovery.runs)
                reader.evictEarlier(keeping: configuration.maximumRecoveredBytes)
            }
        }
    }

    private func recycleCompletedSegments() {
        upkeep.withLock { upkeep in
            let current = ring.currentLink
            for segment in reader.withLock({ $0.retireDone(before: current) }) {
                segment.region.clear()
                upkeep.freeSlots.append(segment.slot)
            }
            for segment in reader.withLock({ $0.retireDoneOfEarlier() }) {
                if let path = segment.memory?.path { PrivateFiles.removeFile(path) }
            }
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
            let isLast = upkeep.freeSlots.isEmpty && upkeep.installed == ring.capacity
            ring.reserve(isLast || shortage != .notReady ? upkeep.last : nil)
        }
    }

    /// Returns a slot with empty memory, new or recycled; `nil` if all are in use.
    ///
    /// - Throws: An error if the disk is full. For the first segment, uses memory instead.
    private func nextSlot(_ upkeep: inout Upkeep) throws(SystemError) -> Int? {
        if let slot = upkeep.freeSlots.popLast() { return slot }
        let slot = upkeep.installed
        guard slot < ring.capacity else { return nil }
        if let directory = upkeep.directory {
            let path = directory.segmentPath(slot: slot)
            do throws(SystemError) {
                ring.install(try MappedMemory(PrivateFile(path), size: ring.segmentSize), in: slot)
                upkeep.installed += 1
                return slot
            } catch {
                PrivateFiles.removeFile(path)
                if error.isDiskFull, upkeep.last != nil { throw error }
                switchToMemory(&upkeep, reason: error.description)
            }
        }
        ring.install(try MappedMemory(anonymous: ring.segmentSize), in: slot)
        upkeep.installed += 1
        return slot
    }

    /// Continues in memory.
    private func switchToMemory(_ upkeep: inout Upkeep, reason: String) {
        upkeep.directory = nil
        notes.withLock { $0.storage = .memory(reason: reason) }
    }

    private func removeFinishedRuns() {
        upkeep.withLock { _ in
            for run in reader.withLock({ $0.finished }) {
                if let onRetire = configuration.onRetire, !onRetire(run.totals) { continue }
                run.directory?.remove()
                reader.withLock { $0.remove(run.run.id) }
            }
        }
    }
}
