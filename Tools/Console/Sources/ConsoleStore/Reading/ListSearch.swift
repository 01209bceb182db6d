import AstrolabeTelemetryModel
package import ConsoleModel

/// A query for a list of log records, sessions or traces.
protocol ListQuery: Sendable {
    var text: String { get }
    var service: String? { get }
    var cursor: String? { get set }
    var limit: Int { get set }
}

extension LogQuery: ListQuery {}
extension SessionQuery: ListQuery {}
extension TraceQuery: ListQuery {}

extension SQLiteStore {
    /// Returns a page of a list: of a walk through it, and if that takes too long, of the entries whose texts match.
    ///
    /// - Parameter page: Reads a page within a time, among some entries or all.
    func search<Query: ListQuery, Element: Sendable>(
        _ list: SearchedList, _ query: Query,
        _ page: @escaping @Sendable (QueryConnection, Query, Set<Int64>?, Duration) throws -> Page<Element>,
    ) async throws(StoreError) -> Page<Element> {
        let (walk, scan) = (configuration.limits.searchWalk, configuration.limits.searchScan)
        let first = try await read { try page($0, query, nil, walk) }
        // A page looks for a log record's service itself: it is a column of the record.
        let service = list == .logs ? nil : query.service
        guard !first.isComplete, let entries = try await entries(of: list, with: query.text, service: service)
        else { return first }
        var rest = query
        (rest.cursor, rest.limit) = (first.next, min(query.limit, 200) - first.elements.count)
        return first.followed(by: try await read { [rest] in try page($0, rest, entries, scan) })
    }
}

/// The search of a list.
///
/// A term that is the id of a record is found by the indexes: the list has the entries of that record, and nothing else
/// for this term. If there are none, or if the term is no id, it is looked for in the texts of records.
struct ListSearch {
    /// The terms to look for in texts.
    let terms: [SearchTerms.Term]
    /// SQL that selects the numbers of entries. An entry must be in all of them.
    private let selections: [String]

    init(_ text: String, in list: SearchedList, _ database: QueryConnection) throws {
        var terms: [SearchTerms.Term] = []
        var selections: [String] = []
        let search = IDSearch(database: database)
        for term in SearchTerms(text).terms {
            let found = try search.matches(term.id).map { $0.selection(of: list) }.joined(separator: " UNION ALL ")
            if !found.isEmpty, try database.prepare("SELECT EXISTS (\(found))").isTrue() {
                selections.append(found)
            } else {
                terms.append(term)
            }
        }
        self.terms = terms
        self.selections = selections
    }

    /// True if a term is the id of a record. Such a search covers all times.
    var isByID: Bool { !selections.isEmpty }

    /// Returns the conditions on the number of an entry, each after "AND".
    func conditions(on column: String) -> String {
        selections.map { " AND \(column) IN (\($0))" }.joined()
    }
}

/// Finds the records that have an id.
struct IDSearch {
    let database: QueryConnection

    /// The number of traces in which a span is looked for at once. There is no index of span ids alone.
    private static let tracesOfStep: Int64 = 50_000
    private static let matchLimit = 10

    enum Match {
        case trace(Int64, TraceID)
        case span(SpanID, trace: Int64, TraceID)
        case session(Int64, String)
        /// A device, by its resources.
        case device([Int64], String)
    }

    func matches(_ id: RecordID?) throws -> [Match] {
        guard let id else { return [] }
        var matches: [Match] = []
        let reader = TraceReader(database: database)
        if let trace = id.trace, let number = try reader.number(trace) { matches.append(.trace(number, trace)) }
        if let span = id.span {
            matches += try traces(of: span).map { Match.span(span, trace: $0.number, $0.id) }
        }
        if let session = id.session, let number = try database.sessionNumber(session) {
            matches.append(.session(number, session))
        }
        if let installation = id.installation {
            let resources = try database.rows(
                "SELECT r.id FROM resources r WHERE \(Schema.installation(of: "r")) = ? LIMIT 1000", [installation],
            ).map { $0.integer(0) }
            if !resources.isEmpty { matches.append(.device(resources, installation)) }
        }
        return matches
    }

    /// Returns the traces with a span, the newest first. Looks through the index for as long as one search may take.
    private func traces(of span: SpanID) throws -> [(number: Int64, id: TraceID)] {
        let deadline = ContinuousClock.now + SQLiteStore.spanBudget
        var last = try database.integer("SELECT max(id) FROM traces") ?? 0
        while last > 0 {
            let rows = try database.rows(
                """
                SELECT t.id, t.high, t.low FROM traces t WHERE t.id IN (
                    SELECT trace FROM spans WHERE trace > ? AND trace <= ? AND span = ? LIMIT ?)
                """,
                [last - Self.tracesOfStep, last, Int64(bitPattern: span.value), Self.matchLimit],
            )
            if !rows.isEmpty || ContinuousClock.now > deadline {
                return rows.map { ($0.integer(0), TraceID(high: $0.bits(1), low: $0.bits(2))) }
            }
            last -= Self.tracesOfStep
        }
        return []
    }
}

extension IDSearch.Match {
    var record: FoundRecord {
        switch self {
        case .trace(_, let id): .trace(id)
        case .span(let id, _, let trace): .span(id, trace: trace)
        case .session(_, let id): .session(id)
        case .device(_, let id): .device(id)
        }
    }

    /// Returns SQL that selects the numbers of a list's entries: of log records, traces, sessions or resources.
    func selection(of list: SearchedList) -> String {
        switch (list, self) {
        case (.logs, .trace(let trace, _)): "SELECT seq FROM logs WHERE trace = \(trace) AND trace <> 0"
        case (.logs, .span(let span, let trace, _)):
            "SELECT seq FROM logs WHERE trace = \(trace) AND trace <> 0 AND span = \(Int64(bitPattern: span.value))"
        case (.logs, .session(let session, _)):
            """
            SELECT seq FROM logs WHERE session = \(session) AND session <> 0
            UNION ALL SELECT l.seq FROM session_traces st CROSS JOIN logs l ON l.trace = st.trace AND l.trace <> 0
                WHERE st.session = \(session) AND l.session = 0
            """
        case (.logs, .device(let resources, _)): "SELECT seq FROM logs WHERE resource IN (\(Self.list(resources)))"
        case (.traces, .trace(let trace, _)), (.traces, .span(_, let trace, _)): "SELECT \(trace)"
        case (.traces, .session(let session, _)): "SELECT trace FROM session_traces WHERE session = \(session)"
        case (.traces, .device(let resources, _)):
            """
            SELECT st.trace FROM sessions x CROSS JOIN session_traces st ON st.session = x.id
            WHERE x.resource IN (\(Self.list(resources)))
            """
        case (.sessions, .trace(let trace, _)), (.sessions, .span(_, let trace, _)):
            "SELECT session FROM session_traces WHERE trace = \(trace)"
        case (.sessions, .session(let session, _)): "SELECT \(session)"
        case (.sessions, .device(let resources, _)):
            "SELECT id FROM sessions WHERE resource IN (\(Self.list(resources)))"
        case (.devices, .trace(let trace, _)), (.devices, .span(_, let trace, _)):
            """
            SELECT x.resource FROM session_traces st CROSS JOIN sessions x ON x.id = st.session
            WHERE st.trace = \(trace)
            """
        case (.devices, .session(let session, _)): "SELECT resource FROM sessions WHERE id = \(session)"
        case (.devices, .device(let resources, _)):
            "SELECT id FROM resources WHERE id IN (\(Self.list(resources)))"
        }
    }

    private static func list(_ numbers: [Int64]) -> String {
        numbers.map { String($0) }.joined(separator: ", ")
    }
}

extension SQLiteStore {
    /// The time for which a span is looked for in the traces of a store.
    static let spanBudget: Duration = .milliseconds(400)

    /// Returns the records whose id a search is; none if it has several terms.
    package func records(withID text: String) async throws(StoreError) -> [FoundRecord] {
        let words = SearchTerms(text).terms
        guard words.count == 1 else { return [] }
        return try await read { try IDSearch(database: $0).matches(words[0].id).map(\.record) }
    }
}
