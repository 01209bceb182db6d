/// Walks a list in its order and collects the entries that a search accepts, until a page is full or the time is over.
struct ListWalk<Entry> {
    let limit: Int
    private(set) var entries: [Entry] = []
    private(set) var isComplete = true
    private var last: PageCursor?

    /// The place where the next page begins; `nil` at the end of the list.
    private(set) var next: String?

    init(limit: Int) {
        self.limit = limit
    }

    /// - Parameters:
    ///   - deadline: When the walk ends, but not before the first entry; `nil` if it looks into no entry.
    ///   - position: Returns the place of a row in the list.
    ///   - make: Returns the entry of a row, or `nil` if it is not one.
    mutating func read(
        _ statement: PreparedQuery, _ arguments: QueryArguments, until deadline: ContinuousClock.Instant?,
        position: (StoredRow) -> PageCursor, entry make: (StoredRow) throws -> Entry?,
    ) throws {
        try statement.forEachRow(arguments) { row in
            let isLate = last != nil && deadline.map { ContinuousClock.now > $0 } ?? false
            guard entries.count < limit, !isLate else {
                isComplete = entries.count == limit
                next = last?.text
                return false
            }
            last = position(row)
            if let entry = try make(row) { entries.append(entry) }
            return true
        }
    }
}

extension Set<Int64> {
    /// The numbers as a JSON array, which `json_each` reads.
    var json: String { "[" + map { String($0) }.joined(separator: ",") + "]" }
}
