/// Lets a query run in turns with others. A turn is the work on a segment, or on several small ones, or what follows
/// the last one.
package protocol QueryAdmission: Sendable {
    /// Runs a part of the query when its turn has come.
    ///
    /// - Parameter work: It gets a function that says whether the query has to end: its time is over, or its task was
    ///   cancelled. Long work asks it every few milliseconds, because other queries may go first when it does. It may
    ///   end early then with any result, which is not used.
    /// - Throws: `QueryError` if the query's time is over, `CancellationError`, or what `work` throws.
    func take<Value>(_ work: (_ isOver: @escaping () -> Bool) throws -> Value) async throws -> Value

    /// Notes that the query needs memory of this size, in bytes, until it ends.
    ///
    /// - Throws: If there is not so much, with what other queries have.
    func hold(_ bytes: Int) throws
}

/// The turns of a query that shares its threads with no other. Its time is that of the clock.
struct UnsharedAdmission: QueryAdmission {
    private let limit: Duration
    private let deadline: ContinuousClock.Instant

    init(limit: Duration) {
        self.limit = limit
        deadline = ContinuousClock.now + limit
    }

    func take<Value>(_ work: (_ isOver: @escaping () -> Bool) throws -> Value) async throws -> Value {
        try check()
        let result = Result<Value, any Error> {
            try work { [deadline] in Task.isCancelled || ContinuousClock.now >= deadline }
        }
        // Work that ended early has a wrong result.
        try check()
        // Other tasks get their turn.
        await Task.yield()
        return try result.get()
    }

    func hold(_ bytes: Int) throws {}

    private func check() throws {
        try Task.checkCancellation()
        if ContinuousClock.now >= deadline { throw QueryError.tooLong(limit) }
    }
}

extension QueryEngine {
    /// Returns the turns of one evaluation.
    func evaluationAdmission() -> any QueryAdmission { turns ?? UnsharedAdmission(limit: limits.time) }
}

extension QueryError {
    /// The error of a query whose time is over.
    package static func tooLong(_ limit: Duration) -> QueryError {
        QueryError(
            "The query took longer than \(limit) to compute. Ask for a shorter time, group by fewer fields, or narrow "
                + "it with where.")
    }

    /// Adds the name of the column that makes a plan expensive, if one does.
    func naming(_ column: LargestColumn?) -> QueryError {
        guard let column else { return self }
        return QueryError("\(message) \(column.sentence)", at: place, suggestions: suggestions)
    }
}

/// The column with the most distinct texts, of those that a plan groups by or calculates from.
struct LargestColumn {
    /// The number of distinct texts in a segment from which on a column is worth a word.
    static let leastCount = 1_000

    let field: String
    /// The distinct texts of one segment, and its records.
    let count: Int
    let rows: Int

    var sentence: String { "The largest column is \(field): it has \(count) different values in \(rows) records." }

    /// - Returns: `nil` if no column has many.
    init?(of plan: QueryPlan, in segments: [Segment]) {
        let expressions = plan.groups + plan.calculations.compactMap(\.operand)
        var largest: (field: String, count: Int, rows: Int)?
        for field in Set(expressions.flatMap(\.fields)).sorted() where FieldNames.relation(of: field) == nil {
            for segment in plan.segments(segments, reaching: plan.window) {
                let count = segment.distinctTexts(of: field, in: plan.query.dataset)
                if count >= Self.leastCount, count > largest?.count ?? 0 { largest = (field, count, segment.rowCount) }
            }
        }
        guard let found = largest else { return nil }
        (field, count, rows) = (found.field, found.count, found.rows)
    }
}

extension Segment {
    fileprivate func distinctTexts(of field: String, in dataset: Dataset) -> Int {
        FieldNames.columns(for: field, in: dataset).flatMap { columns[$0] ?? [] }.reduce(0) { count, part in
            guard case .codes(_, let dictionary) = part.values else { return count }
            return count + dictionary.count
        }
    }
}

extension Expression {
    /// The fields whose values the expression is made from, apart from those of conditions.
    fileprivate var fields: [String] {
        switch self {
        case .field(let name): [name]
        case .literal: []
        case .arithmetic(let left, _, let right): left.fields + right.fields
        case .bucket(let value, _), .extract(let value, _): value.fields
        case .coalesce(let values): values.flatMap(\.fields)
        case .conditional(_, let yes, let no): yes.fields + no.fields
        }
    }
}
