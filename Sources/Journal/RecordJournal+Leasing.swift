import AstrolabePlatform

extension RecordJournal {
    /// Takes out records of one run and one kind: those of the highest priority, of the oldest run that has such; then,
    /// up to the limits, those of the same run and kind by falling priority; oldest first within a priority. No record
    /// overtakes one of its kind and priority that an older run has left.
    ///
    /// - Parameters:
    ///   - maximumRecords: At least one is given where any waits.
    ///   - maximumBytes: Of payload; a first record that is longer comes alone.
    ///   - minimumPriority: What is less urgent stays. Default 0.
    package func lease(maximumRecords: Int, maximumBytes: Int, minimumPriority: UInt8 = 0) -> JournalLease? {
        let limits = RunReader.Limits(records: maximumRecords, bytes: maximumBytes, minimumPriority: minimumPriority)
        guard let taken = reader.withLock({ $0.lease(limits) }) else { return nil }
        return JournalLease(taken) { [self] id in end(id, as: nil) }
    }

    /// Ends a lease and notes in each record what became of it: it will not be given out again, by this run or the
    /// next.
    package func acknowledge(_ lease: JournalLease, as outcome: JournalOutcome = .acknowledged) {
        end(lease.id, as: outcome)
    }

    /// The same where the last `count` records of the lease met with another outcome.
    package func acknowledge(
        _ lease: JournalLease, as outcome: JournalOutcome, exceptLast count: Int, as other: JournalOutcome,
    ) {
        reader.withLock { $0.end(lease.id, as: outcome, exceptLast: count, as: other) }
    }

    /// Ends a lease whose records were not taken on: they wait again.
    package func release(_ lease: JournalLease) {
        end(lease.id, as: nil)
    }

    /// Settles waiting records by run and sequence number, as one who knows from elsewhere that they were taken on.
    ///
    /// For a kill between the moment that another store had taken records over and their acknowledgement here.
    /// - Returns: How many of them were waiting.
    @discardableResult
    package func acknowledge(
        run: RunID, sequences: some Sequence<UInt64>, as outcome: JournalOutcome = .acknowledged,
    ) -> Int {
        let sequences = Set(sequences)
        return reader.withLock { $0.settle(run: run, sequences: sequences, as: outcome) }
    }

    private func end(_ lease: UInt64, as outcome: JournalOutcome?) {
        reader.withLock { $0.end(lease, as: outcome) }
    }
}
