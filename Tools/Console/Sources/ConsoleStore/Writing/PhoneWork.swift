import ConsoleModel

/// The installation of an app that sends records.
struct PhoneName: Sendable, Hashable {
    /// A hash of the service and the installation.
    let id: Int64
    let service: String

    /// - Returns: `nil` without an `app.installation.id`.
    init?(_ resource: PreparedBatch.ResourceRow) {
        guard !resource.installation.isEmpty else { return nil }
        id = Int64(bitPattern: StableHash(resource.service + "\n" + resource.installation).high)
        service = resource.service
    }
}

/// The data that one transaction gathers about phones.
struct PhoneWork {
    struct Report {
        let service: String
        var records: Int64 = 0
        /// The metrics among them.
        var metrics: Int64 = 0
        /// The records by slot of their time.
        var slots: [Int64: Int64] = [:]
        /// The latest ledger among the records.
        var ledger: PhoneLedger?
    }

    /// A metric of a phone that was collected at a time.
    private struct Metric: Hashable {
        let phone: Int64
        let name: String
        let time: Int64
    }

    private var metrics: Set<Metric> = []
    /// By the id of the phone.
    private(set) var reports: [Int64: Report] = [:]

    /// Counts a record of a phone.
    ///
    /// - Parameter time: The record's, in nanoseconds since 1970.
    mutating func add(_ phone: PhoneName?, at time: Int64) {
        guard let phone else { return }
        reports[phone.id, default: Report(service: phone.service)].records += 1
        guard time > 0 else { return }
        reports[phone.id]?.slots[time / ArrivalFacts.slot, default: 0] += 1
    }

    /// Adds a metric point of a phone. The points of one metric and one time are one record, as in the phone's ledger.
    mutating func add(_ phone: PhoneName?, _ point: PreparedBatch.PointRow, of series: PreparedBatch.SeriesRow) {
        guard let phone else { return }
        if metrics.insert(Metric(phone: phone.id, name: series.name, time: point.time)).inserted {
            add(phone, at: point.time)
            reports[phone.id]?.metrics += 1
        }
        guard let part = series.ledgerPart else { return }
        var ledger = reports[phone.id]?.ledger ?? PhoneLedger()
        ledger.add(point.integer ?? Int64(clamping: point.value), to: part, at: point.time)
        reports[phone.id]?.ledger = ledger
    }
}

extension TransactionWork {
    /// The records of a service in one slot that arrive now.
    private struct Cell: Hashable {
        let service: String
        let slot: Int64
        let isEvidence: Bool
    }

    /// Adds the gathered data to the tables of phones.
    func savePhones(_ arrival: Arrival, through seq: Int64) throws {
        guard !phones.reports.isEmpty else { return }
        let now = arrival.minute.clampedProduct(60_000_000_000)
        let slot = now / ArrivalFacts.slot
        var cells: [Cell: Int64] = [:]
        for (id, report) in phones.reports {
            var state = try writer.phone(id) ?? PhoneState(firstReport: now)
            let isEvidence = now.clampedDifference(state.firstReport) >= ArrivalFacts.trial
            let dropped = state.report(report.records, metrics: report.metrics, report.ledger, at: now)
            // Others are of a clock that is wrong by weeks.
            for (place, records) in report.slots where place > slot - ArrivalFacts.slotLimit && place <= slot + 96 {
                cells[Cell(service: report.service, slot: place, isEvidence: isEvidence), default: 0] += records
                statements.insertPhoneHour.bind(1, place / 4)
                statements.insertPhoneHour.bind(2, id)
                try statements.insertPhoneHour.run()
            }
            if dropped > 0 { try saveDrop(of: dropped, state, report.service) }
            try save(state, as: id, of: report.service, through: seq)
        }
        for (cell, records) in cells {
            statements.addPhoneArrivals.bind(1, cell.service)
            statements.addPhoneArrivals.bind(2, cell.slot)
            statements.addPhoneArrivals.bind(3, slot)
            statements.addPhoneArrivals.bind(4, cell.isEvidence ? 1 : 0)
            statements.addPhoneArrivals.bind(5, records)
            try statements.addPhoneArrivals.run()
        }
    }

    private func saveDrop(of records: Int64, _ phone: PhoneState, _ service: String) throws {
        statements.addPhoneDrops.bind(1, service)
        statements.addPhoneDrops.bind(2, phone.ledger.time / ArrivalFacts.slot)
        statements.addPhoneDrops.bind(3, records)
        try statements.addPhoneDrops.run()
    }

    private func save(_ state: PhoneState, as id: Int64, of service: String, through seq: Int64) throws {
        let statement = statements.upsertPhone
        statement.bind(1, id)
        statement.bind(2, service)
        let ledger = state.ledger
        let numbers = [
            state.firstReport, state.lastReport, state.received, ledger.time, ledger.created, ledger.delivered,
            ledger.pending, ledger.notSent, ledger.lost, ledger.leftOut, state.lostBefore, state.baseline,
            state.heldFrom, seq,
        ]
        for (index, number) in numbers.enumerated() { statement.bind(Int32(index + 3), number) }
        try statement.run()
        writer.remember(phone: id, as: state)
    }
}

extension BatchWriter {
    /// Returns what is stored of a phone; `nil` if it is new.
    func phone(_ id: Int64) throws -> PhoneState? {
        if let known = phones[id] { return known }
        var found: PhoneState?
        statements.findPhone.bind(1, id)
        try statements.findPhone.forEachRow { row in found = PhoneState(row) }
        return found
    }

    func remember(phone id: Int64, as state: PhoneState) { phones[id] = state }
}

extension PhoneState {
    /// Reads the numbers in the order in which they are written.
    fileprivate init(_ row: RawStatement) {
        self.init(firstReport: row.integer(0))
        lastReport = row.integer(1)
        received = row.integer(2)
        ledger.time = row.integer(3)
        ledger.created = row.integer(4)
        ledger.delivered = row.integer(5)
        ledger.pending = row.integer(6)
        ledger.notSent = row.integer(7)
        ledger.lost = row.integer(8)
        ledger.leftOut = row.integer(9)
        lostBefore = row.integer(10)
        baseline = row.integer(11)
        heldFrom = row.integer(12)
    }
}
