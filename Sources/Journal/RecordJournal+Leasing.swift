import AstrolabePlatform

extension RecordJournal {
    /// Leases records of one run and one kind.
    ///
    /// Takes the highest pending priority, from the oldest run that has such records. Then fills the lease up to the
    /// limits with less urgent records of the same run and kind, oldest first within a priority. No record overtakes
    /// one of its kind and priority from an older run.
    ///
    /// - Parameters:
    ///   - maximumRecords: At least one record is leased if any is pending.
    ///   - maximumBytes: Payload bytes. A first record that is longer is leased alone.
    ///   - kinds: Only records of these kinds; `nil` for all.
    ///   - minimumPriority: Records of lower priority stay. Default 0.
    ///   - ofPreviousRuns: Whether records of this run stay. Default false.
    /// - Returns: `nil` if no such record is pending.
    package func lease(
        maximumRecords: Int, maximumBytes: Int, kinds: Set<UInt8>? = nil, minimumPriority: UInt8 = 0,
        ofPreviousRuns: Bool = false,
    ) -> JournalLease? {
        let limits = RunReader.Limits(
            records: maximumRecords, bytes: maximumBytes, kinds: kinds, minimumPriority: minimumPriority)
        guard let taken = withReader({ $0.lease(limits, ofPreviousRuns: ofPreviousRuns) }) else { return nil }
        return JournalLease(taken) { [self] id in end(id, as: nil) }
    }

    /// Leases the records of a run and a kind that `isWanted` names, until they have so many bytes; `nil` if there are
    /// none.
    ///
    /// `isWanted` must not use the journal.
    package func lease(
        of run: RunID, kind: UInt8, maximumBytes: Int = .max, where isWanted: (JournalLease.Record) -> Bool,
    ) -> JournalLease? {
        guard let taken = withReader({ $0.lease(of: run, kind: kind, maximumBytes: maximumBytes, where: isWanted) })
        else { return nil }
        return JournalLease(taken) { [self] id in end(id, as: nil) }
    }

    /// Calls `body` with each unleased record of a priority and kind, which must not use the journal. Previous runs
    /// come first.
    package func forEach(priority: UInt8, kind: UInt8, _ body: (JournalRun, JournalLease.Record) -> Void) {
        withReader { $0.forEach(priority: priority, kind: kind, body) }
    }

    /// The runs with records, oldest first, and the current one.
    package var runs: [JournalRun] { withReader { ($0.earlier + [$0.current]).map(\.run) } }

    /// Completes all pending records of previous runs, so that `maintain` removes these.
    package func abandonEarlierRuns(as outcome: JournalOutcome) {
        withReader { $0.abandonEarlier(as: outcome) }
    }

    /// Ends a lease and stores the outcome in each record, so that neither this run nor the next leases it again.
    package func acknowledge(_ lease: JournalLease, as outcome: JournalOutcome = .acknowledged) {
        end(lease.id, as: outcome)
    }

    /// Acknowledges a lease whose last `count` records have a different outcome.
    package func acknowledge(
        _ lease: JournalLease, as outcome: JournalOutcome, exceptLast count: Int, as other: JournalOutcome,
    ) {
        withReader { $0.end(lease.id, as: outcome, exceptLast: count, as: other) }
    }

    /// Ends a lease and makes its records available again.
    package func release(_ lease: JournalLease) {
        end(lease.id, as: nil)
    }

    /// Acknowledges pending records by run and sequence number.
    ///
    /// Used after a kill between the transfer of records to another store and their acknowledgement here.
    /// - Returns: How many of them were pending.
    @discardableResult
    package func acknowledge(
        run: RunID, sequences: some Sequence<UInt64>, as outcome: JournalOutcome = .acknowledged,
    ) -> Int {
        let sequences = Set(sequences)
        return withReader { $0.acknowledge(run: run, sequences: sequences, as: outcome) }
    }

    private func end(_ lease: UInt64, as outcome: JournalOutcome?) {
        withReader { $0.end(lease, as: outcome) }
    }
}
