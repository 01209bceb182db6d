import AstrolabeTelemetryModel
import GRDB

/// Which sessions to list.
package struct SessionQuery: Sendable, Hashable {
    /// Words that must all be found in a session: in its id, its device, or the names and attributes of its records.
    package var text = ""
    /// A `service.name` that must have taken part.
    package var service: String?
    package var onlyWithErrors = false
    /// The `app.installation.id` of the device that the session ran on.
    package var device: String?
    /// The `next` of the page before.
    package var cursor: String?
    /// 1 to 200.
    package var limit = 50
    /// Lists sessions that changed after this number of the sequence, and no others.
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
    /// Where the next page starts; `nil` at the end of the list.
    package let next: String?
    /// False where the time for searching ran out before the page was full; `next` goes on from there.
    package let isComplete: Bool
    /// The number of the sequence up to which this page is the truth.
    package let cursor: Int64
}

extension TelemetryStore {
    /// Time that one page may search; a page that runs out of it is returned as it is.
    static let searchBudget: Duration = .milliseconds(400)

    /// Sessions, newest first. Without words to search for, only the index of start times is read.
    package func sessions(_ query: SessionQuery = SessionQuery()) async throws(StoreError) -> Page<SessionSummary> {
        try await read { database in
            try SessionReader(database: database).page(query)
        }
    }

    /// One session, by its `session.id`.
    package func session(_ id: String) async throws(StoreError) -> SessionSummary? {
        try await read { database in
            try SessionReader(database: database).session(id)
        }
    }
}
