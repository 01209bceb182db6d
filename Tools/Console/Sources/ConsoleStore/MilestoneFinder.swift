import AstrolabeTelemetryModel
import ConsoleModel

/// The meaning of a record for its session. Raw values are stored in the database.
enum MilestoneKind: Int64, Sendable {
    case conversion = 1
    case checkout = 2
    case hang = 3
}

/// Finds the milestones among records.
struct MilestoneFinder: Sendable {
    struct Milestone: Sendable {
        let kind: MilestoneKind
        let amount: Double?
    }

    private let kinds: [String: MilestoneKind]
    private let amounts: [String]

    init(_ milestones: ConversionEvents) {
        var kinds = [IssueKind.hang.eventName: MilestoneKind.hang]
        for name in milestones.checkouts { kinds[name] = .checkout }
        // A name in both lists is a conversion.
        for name in milestones.conversions { kinds[name] = .conversion }
        self.kinds = kinds
        amounts = milestones.amounts
    }

    func milestone(_ name: String, _ attributes: Attributes) -> Milestone? {
        guard let kind = kinds[name] else { return nil }
        guard kind == .conversion else { return Milestone(kind: kind, amount: nil) }
        return Milestone(kind: kind, amount: amounts.lazy.compactMap { attributes[$0]?.number }.first)
    }

    /// SQL that finds the milestones among the rows of `table`, with the arguments of its parameters.
    func selection(from table: String) -> (sql: String, arguments: [String]) {
        let names = kinds.sorted { $0.key < $1.key }
        let kind = "CASE name " + names.map { "WHEN ? THEN \($0.value.rawValue)" }.joined(separator: " ") + " END"
        // At least two, as SQLite's coalesce needs.
        let amounts = (amounts.map { Schema.number($0, in: "attributes") } + ["NULL", "NULL"]).joined(separator: ", ")
        let isConversion = names.filter { $0.value == .conversion }
        let marks = { (count: Int) in Array(repeating: "?", count: count).joined(separator: ", ") }
        return (
            """
            SELECT seq, \(kind), trace, session,
                CASE WHEN name IN (\(marks(isConversion.count))) THEN coalesce(\(amounts)) END
            FROM \(table) WHERE name IN (\(marks(names.count)))
            """,
            names.map(\.key) + isConversion.map(\.key) + names.map(\.key),
        )
    }
}

extension Schema {
    /// The statements that upgrade version 6 to 7: the records that sessions are judged by.
    ///
    /// A row of `milestones` belongs to the span or log with the same `seq`, and is removed with it. The fact
    /// `milestones` identifies the names for which the rows were made.
    static let additionsOfVersion7: [String] = [
        """
        CREATE TABLE milestones (
            seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL, trace INTEGER NOT NULL, session INTEGER NOT NULL,
            amount REAL)
        """,
        "CREATE INDEX milestones_by_session ON milestones (session) WHERE session <> 0",
        "CREATE INDEX milestones_by_trace ON milestones (trace) WHERE session = 0",
    ]
}
