extension Schema {
    /// The statements that upgrade version 11 to 12: what the completeness of a time is computed from, see
    /// `ArrivalFacts`.
    ///
    /// Slots and hours are numbers since 1970. A phone is an `app.installation.id` of a service, and its id is a hash
    /// of both. `received` is the number of its records that are stored, and `baseline` what it is more than
    /// `delivered` while nothing is on the way.
    static let additionsOfVersion12: [String] = [
        """
        CREATE TABLE phones (
            id INTEGER PRIMARY KEY, service TEXT NOT NULL, first_report INTEGER NOT NULL, last_report INTEGER NOT NULL,
            received INTEGER NOT NULL, ledger_time INTEGER NOT NULL, created INTEGER NOT NULL,
            delivered INTEGER NOT NULL, pending INTEGER NOT NULL, not_sent INTEGER NOT NULL, lost INTEGER NOT NULL,
            left_out INTEGER NOT NULL, lost_before INTEGER NOT NULL, baseline INTEGER NOT NULL,
            held_from INTEGER NOT NULL, last_seq INTEGER NOT NULL)
        """,
        "CREATE INDEX phones_by_service ON phones (service)",
        """
        CREATE TABLE phone_hours (
            hour INTEGER NOT NULL, phone INTEGER NOT NULL, PRIMARY KEY (hour, phone)) WITHOUT ROWID
        """,
        """
        CREATE TABLE phone_arrivals (
            service TEXT NOT NULL, slot INTEGER NOT NULL, arrival INTEGER NOT NULL, is_evidence INTEGER NOT NULL,
            records INTEGER NOT NULL, PRIMARY KEY (service, slot, arrival, is_evidence)) WITHOUT ROWID
        """,
        """
        CREATE TABLE phone_drops (
            service TEXT NOT NULL, slot INTEGER NOT NULL, records INTEGER NOT NULL,
            PRIMARY KEY (service, slot)) WITHOUT ROWID
        """,
    ]
}
