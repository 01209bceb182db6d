import AstrolabeTelemetryModel

/// A query for a list of sessions.
package struct SessionQuery: Sendable, Hashable {
    /// Words that must all occur in the session's id, its device, or the names and attributes of its records, or ids of
    /// the session, its device, traces and spans.
    package var text = ""
    /// A `service.name` that must occur in the session.
    package var service: String?
    package var onlyWithErrors = false
    /// The `app.installation.id` of the session's device.
    package var device: String?
    /// When the session began, in nanoseconds since 1970.
    package var times: Range<Int64>?
    /// The `next` value of the previous page.
    package var cursor: String?
    /// The page size, 1 to 200.
    package var limit = 50
    /// Only sessions that changed after this sequence number.
    package var changedSince: Int64?

    package init(text: String = "", service: String? = nil, onlyWithErrors: Bool = false, limit: Int = 50) {
        self.text = text
        self.service = service
        self.onlyWithErrors = onlyWithErrors
        self.limit = limit
    }
}

/// One page of a list, newest first.
package struct Page<Element: Sendable>: Sendable {
    package let elements: [Element]
    /// The cursor of the next page; `nil` at the end of the list.
    package let next: String?
    /// Whether the page is complete. If the search timed out, it is not, and `next` continues the search.
    package let isComplete: Bool
    /// The sequence number up to which the page is current.
    package let cursor: Int64

    package init(elements: [Element], next: String?, isComplete: Bool, cursor: Int64) {
        self.elements = elements
        self.next = next
        self.isComplete = isComplete
        self.cursor = cursor
    }

    /// Returns the page with what follows it.
    func followed(by rest: Page<Element>) -> Page<Element> {
        Page(elements: elements + rest.elements, next: rest.next, isComplete: rest.isComplete, cursor: cursor)
    }
}

extension SQLiteStore {
    /// Returns sessions, newest first. Without search words, this reads only the index of start times.
    package func sessions(_ query: SessionQuery = SessionQuery()) async throws(StoreError) -> Page<SessionSummary> {
        try await search(.sessions, query) { database, query, entries, limit in
            try SessionReader(database: database).page(query, among: entries, within: limit)
        }
    }

    /// Returns the session with a `session.id`.
    package func session(_ id: String) async throws(StoreError) -> SessionSummary? {
        try await read { database in
            try SessionReader(database: database).session(id)
        }
    }
}
