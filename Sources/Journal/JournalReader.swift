import AstrolabePlatform

/// The single consumer's state over all runs, as a value that the journal guards with its lock.
struct JournalReader {
    /// Previous runs, oldest first, then the current run.
    private(set) var runs: [RunReader]
    private var leases: [UInt64: Lease] = [:]
    private var nextLease: UInt64 = 1
    private var isClosed = false

    private struct Lease {
        let run: RunID
        let kind: UInt8
        let batches: [RunReader.Taken]
    }

    init(_ current: RunReader) {
        runs = [current]
    }

    private var currentIndex: Int { runs.count - 1 }
    var current: RunReader { runs[currentIndex] }
    var earlier: ArraySlice<RunReader> { runs.dropLast() }

    mutating func add(_ segment: SegmentReader) { runs[currentIndex].add(segment) }

    mutating func add(recovered: [RunReader]) {
        let earlier = (self.earlier + recovered).ordered {
            ($0.run.started, $0.run.id.high) < ($1.run.started, $1.run.id.high)
        }
        runs = earlier + [current]
    }

    mutating func advance() { runs[currentIndex].advance() }

    /// Leases records of the most urgent kind, from the oldest run that has a record of that priority.
    mutating func lease(_ limits: RunReader.Limits, ofPreviousRuns: Bool = false) -> TakenRecords? {
        guard !isClosed else { return nil }
        advance()
        let runCount = ofPreviousRuns ? currentIndex : runs.count
        while let (index, kind) = mostUrgent(limits, amongFirst: runCount) {
            var limits = limits
            // Less urgent records that fill the lease must not overtake records of this kind from an older run.
            let older = runs[..<index].compactMap { $0.highestPriority(ofKind: kind) }.max()
            if let older { limits.minimumPriority = max(limits.minimumPriority, older + 1) }
            let (batches, records, bytes) = runs[index].take(kind: kind, limits)
            // All of them had been damaged in the meantime and were discarded. Others may be pending.
            if records.isEmpty { continue }
            let id = nextLease
            nextLease += 1
            leases[id] = Lease(run: runs[index].run.id, kind: kind, batches: batches)
            return TakenRecords(id: id, run: runs[index].run, kind: kind, records: records, byteCount: bytes)
        }
        return nil
    }

    private func mostUrgent(_ limits: RunReader.Limits, amongFirst count: Int) -> (run: Int, kind: UInt8)? {
        var best: (run: Int, priority: UInt8, kind: UInt8)?
        for (index, run) in runs.prefix(count).enumerated() {
            guard let urgent = run.mostUrgent(of: limits.kinds), urgent.priority >= limits.minimumPriority else {
                continue
            }
            if let best, best.priority >= urgent.priority { continue }
            best = (index, urgent.priority, urgent.kind)
        }
        return best.map { ($0.run, $0.kind) }
    }

    /// Leases the records of a run and a kind that `isWanted` names; `nil` if there are none.
    mutating func lease(
        of run: RunID, kind: UInt8, maximumBytes: Int, where isWanted: (JournalLease.Record) -> Bool,
    ) -> TakenRecords? {
        guard !isClosed, let index = index(of: run) else { return nil }
        advance()
        let (batches, records, bytes) = runs[index].take(kind: kind, maximumBytes: maximumBytes, where: isWanted)
        guard !records.isEmpty else { return nil }
        let id = nextLease
        nextLease += 1
        leases[id] = Lease(run: run, kind: kind, batches: batches)
        return TakenRecords(id: id, run: runs[index].run, kind: kind, records: records, byteCount: bytes)
    }

    /// Calls `body` with each unleased record of a priority and kind, run by run, and oldest first.
    mutating func forEach(priority: UInt8, kind: UInt8, _ body: (JournalRun, JournalLease.Record) -> Void) {
        guard !isClosed else { return }
        advance()
        for run in runs {
            for record in run.records(priority: priority, kind: kind) { body(run.run, record) }
        }
    }

    /// Completes the records of this run's oldest segment, so that it can be used again; false if none can be.
    mutating func overwriteOldest(before current: SegmentRing.Link, as outcome: JournalOutcome) -> Bool {
        guard !isClosed else { return false }
        advance()
        let own = leases.values.filter { $0.run == self.current.run.id }
        let leased = Set(own.flatMap(\.batches).flatMap(\.references).map(\.segment))
        return runs[currentIndex].overwriteOldest(before: current, except: leased, as: outcome)
    }

    /// Completes all pending records of previous runs.
    mutating func abandonEarlier(as outcome: JournalOutcome) {
        guard !isClosed else { return }
        for index in earlier.indices { runs[index].abandon(as: outcome) }
    }

    /// Ends a lease; does nothing if it has already ended.
    mutating func end(
        _ id: UInt64, as outcome: JournalOutcome?, exceptLast count: Int = 0, as other: JournalOutcome = .acknowledged,
    ) {
        guard let lease = leases.removeValue(forKey: id), let index = index(of: lease.run) else { return }
        if let outcome {
            runs[index].acknowledge(lease.batches, as: outcome, exceptLast: count, as: other)
        } else {
            runs[index].release(lease.batches, kind: lease.kind)
        }
    }

    /// Acknowledges pending records of a run by their sequence numbers; returns how many were pending.
    mutating func acknowledge(run: RunID, sequences: Set<UInt64>, as outcome: JournalOutcome) -> Int {
        guard !isClosed else { return 0 }
        advance()
        return index(of: run).map { runs[$0].acknowledge(sequences: sequences, as: outcome) } ?? 0
    }

    private func index(of run: RunID) -> Int? { runs.firstIndex { $0.run.id == run } }

    /// Adds this run's reusable segments to its retired counts, removes them from the reader and returns them. Stores
    /// the counts of the others.
    mutating func retireDone(before current: SegmentRing.Link?) -> [SegmentReader] {
        guard !isClosed else { return [] }
        advance()
        let done = runs[currentIndex].retireDone(before: current)
        runs[currentIndex].noteCounts()
        return done
    }

    /// Does the same for segments of previous runs.
    mutating func retireDoneOfEarlier() -> [SegmentReader] {
        isClosed ? [] : runs.indices.dropLast().flatMap { runs[$0].retireDone() }
    }

    /// Previous runs that have no pending records.
    var finished: [RunReader] { isClosed ? [] : earlier.filter { $0.pendingCount == 0 } }

    /// Stops leasing and unlocks all runs, so that another journal can recover them.
    mutating func close() {
        if !isClosed {
            advance()
            runs[currentIndex].noteCounts()
        }
        isClosed = true
        for run in runs { run.file.unlock() }
    }

    /// Forgets all records after `close`.
    mutating func discard() {
        runs = [RunReader(current.run, file: current.file, directory: nil)]
        leases = [:]
    }

    mutating func remove(_ run: RunID) { runs.removeAll { $0.run.id == run } }

    /// Evicts unleased records of previous runs until at most this many bytes and records remain. Returns how many were
    /// evicted.
    ///
    /// - Parameter overwritten: The outcome in a ring, where the oldest run goes first. `nil` for a journal, where the
    ///   lowest priority goes first, then the oldest.
    mutating func evictEarlier(
        keepingBytes maximumBytes: Int, records maximumRecords: Int, overwritten: JournalOutcome?,
    ) -> Int {
        guard !isClosed else { return 0 }
        var evicted = 0
        var records = earlier.reduce(0) { $0 + $1.pendingCount } - maximumRecords
        var bytes = earlier.reduce(0) { $0 + $1.pendingBytes } - maximumBytes
        guard records > 0 || bytes > 0 else { return 0 }
        let priorities = earlier.reduce(into: Set<UInt8>(), { $0.formUnion($1.priorities) }).ordered(by: <)
        let indices = Array(earlier.indices)
        let order =
            overwritten == nil
            ? priorities.flatMap { priority in indices.map { ($0, priority) } }
            : indices.flatMap { index in priorities.map { (index, $0) } }
        for (index, priority) in order {
            while records > 0 || bytes > 0 {
                let before = runs[index].pendingBytes
                guard runs[index].evictOldest(priority: priority, as: overwritten ?? .evicted) else { break }
                bytes -= before - runs[index].pendingBytes
                records -= 1
                evicted += 1
            }
        }
        return evicted
    }
}
