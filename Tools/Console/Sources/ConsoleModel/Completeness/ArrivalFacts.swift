/// The facts from which the completeness of a time is computed: which records of phones arrived when, and what each
/// phone last said.
///
/// A store keeps them beside its records, so that no query reads the records for them.
package struct ArrivalFacts: Sendable, Hashable {
    /// The length of a slot in nanoseconds: 15 minutes.
    package static let slot: Int64 = 900_000_000_000
    /// The number of slots of which facts are kept: those of three weeks.
    package static let slotLimit: Int64 = 21 * 96
    /// The nanoseconds after the first report of a phone in which nothing is learned from it: one hour.
    ///
    /// It is not known for how long its records had waited, and an import brings many phones at once.
    package static let trial: Int64 = 3_600_000_000_000

    /// The records of one slot that arrived in one slot.
    package struct Cell: Sendable, Hashable {
        /// The number of the slot since 1970, by the time of the records.
        package let slot: Int64
        /// The number of the slot since 1970, by the console's clock.
        package let arrival: Int64
        /// False for the records that phones sent in their ``ArrivalFacts/trial``.
        package let isEvidence: Bool
        package let records: Int

        package init(slot: Int64, arrival: Int64, isEvidence: Bool, records: Int) {
            self.slot = slot
            self.arrival = arrival
            self.isEvidence = isEvidence
            self.records = records
        }
    }

    /// The reports of a phone, and what it holds.
    package struct Phone: Sendable, Hashable {
        /// The arrival of its first and its last record, in nanoseconds since 1970 by the console's clock.
        package let firstReport: Int64
        package let lastReport: Int64
        /// The records that its last ledger had as pending, less those that have arrived since.
        package let held: Int
        /// The time in which they were recorded, in nanoseconds since 1970.
        package let heldFrom: Int64
        package let heldTo: Int64

        package init(firstReport: Int64, lastReport: Int64, held: Int, heldFrom: Int64, heldTo: Int64) {
            self.firstReport = firstReport
            self.lastReport = lastReport
            self.held = held
            self.heldFrom = min(heldFrom, heldTo)
            self.heldTo = heldTo
        }

        /// True if it has reported after its trial.
        var isKnown: Bool { lastReport.clampedDifference(firstReport) >= ArrivalFacts.trial }
    }

    /// The records that phones dropped in a slot, by their ledgers.
    package struct Drop: Sendable, Hashable {
        package let slot: Int64
        package let records: Int

        package init(slot: Int64, records: Int) {
            self.slot = slot
            self.records = records
        }
    }

    package var cells: [Cell]
    package var phones: [Phone]
    package var drops: [Drop]

    package init(cells: [Cell] = [], phones: [Phone] = [], drops: [Drop] = []) {
        self.cells = cells
        self.phones = phones
        self.drops = drops
    }
}

/// A phone that recorded something in an hour.
package struct ActivePhone: Sendable, Hashable {
    /// The number of the hour since 1970.
    package let hour: Int64
    package let phone: Int64
    /// The arrival of the phone's last record, in nanoseconds since 1970.
    package let lastReport: Int64

    package init(hour: Int64, phone: Int64, lastReport: Int64) {
        self.hour = hour
        self.phone = phone
        self.lastReport = lastReport
    }
}
