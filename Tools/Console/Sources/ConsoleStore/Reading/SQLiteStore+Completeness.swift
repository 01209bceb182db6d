package import ConsoleModel

extension SQLiteStore {
    /// Returns the services whose phones have sent records.
    package func phoneServices() async throws(StoreError) -> Set<String>? {
        try await read { database in try Set(database.texts("SELECT DISTINCT service FROM phones")) }
    }

    /// Returns the facts about the arrivals of services, of the last three weeks.
    ///
    /// They are kept as records are written: see `PhoneState`. The records are not read.
    package func arrivalFacts(ofServices services: Set<String>) async throws(StoreError) -> ArrivalFacts {
        let services = Self.list(services)
        return try await read { database in
            var facts = ArrivalFacts()
            let isWanted = "service IN (SELECT value FROM json_each(?))"
            try database.forEachRow(
                """
                SELECT slot, arrival, is_evidence, sum(records) FROM phone_arrivals WHERE \(isWanted)
                GROUP BY slot, arrival, is_evidence
                """,
                [services],
            ) { row in
                facts.cells.append(
                    ArrivalFacts.Cell(
                        slot: row.integer(0), arrival: row.integer(1), isEvidence: row.isTrue(2),
                        records: row.count(3)))
                return true
            }
            try database.forEachRow(
                "SELECT slot, sum(records) FROM phone_drops WHERE \(isWanted) GROUP BY slot", [services],
            ) { row in
                facts.drops.append(ArrivalFacts.Drop(slot: row.integer(0), records: row.count(1)))
                return true
            }
            try database.forEachRow(
                """
                SELECT first_report, last_report,
                    CASE WHEN ledger_time = 0 THEN 0 ELSE max(0, min(pending,
                        created - not_sent - lost - left_out - (received - baseline))) END,
                    held_from, ledger_time FROM phones WHERE \(isWanted)
                """,
                [services],
            ) { row in
                facts.phones.append(
                    ArrivalFacts.Phone(
                        firstReport: row.integer(0), lastReport: row.integer(1), held: row.count(2),
                        heldFrom: row.integer(3), heldTo: row.integer(4)))
                return true
            }
            return facts
        }
    }

    package func activePhones(
        ofServices services: Set<String>, from start: Int64, to end: Int64,
    ) async throws(StoreError) -> [ActivePhone] {
        let services = Self.list(services)
        let hour: Int64 = 3_600_000_000_000
        guard start < end else { return [] }
        return try await read { database in
            try database.rows(
                """
                SELECT h.hour, h.phone, p.last_report FROM phone_hours h JOIN phones p ON p.id = h.phone
                WHERE h.hour BETWEEN ? AND ? AND p.service IN (SELECT value FROM json_each(?)) ORDER BY h.hour
                """,
                [start / hour, (end - 1) / hour, services],
            ).map { ActivePhone(hour: $0.integer(0), phone: $0.integer(1), lastReport: $0.integer(2)) }
        }
    }

    /// A list of texts as JSON, for one parameter.
    private static func list(_ texts: Set<String>) -> String {
        var text = JSONText()
        text.array(texts.sorted()) { $0.append($1) }
        return text.string
    }
}
