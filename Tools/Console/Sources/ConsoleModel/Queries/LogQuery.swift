/// A query for log records and events.
package struct LogQuery: Sendable, Hashable {
    /// Words that must all occur in the record's name, body or attributes, or ids of its trace, span, session or
    /// device.
    package var text = ""
    package var service: String?
    /// The lowest severity number, 1 to 24; `nil` for all records, also those without a severity.
    package var minimumSeverity: Int?
    /// The time of the records, in nanoseconds since 1970.
    package var times: Range<Int64>?
    package var cursor: String?
    /// The page size, 1 to 200.
    package var limit = 50

    package init(text: String = "", service: String? = nil, minimumSeverity: Int? = nil, limit: Int = 50) {
        self.text = text
        self.service = service
        self.minimumSeverity = minimumSeverity
        self.limit = limit
    }
}

/// A log record with the session that it names.
package struct LogEntry: Sendable, Hashable {
    package let event: EventRecord
    /// The record's own `session.id`; `nil` if it has none.
    package let session: String?

    package init(event: EventRecord, session: String?) {
        self.event = event
        self.session = session
    }
}

/// A page of log records with the origins and scopes that they refer to.
package struct LogPage: Sendable {
    package let page: Page<LogEntry>
    package let origins: [Int64: Origin]
    package let scopes: [Int64: Scope]

    package init(page: Page<LogEntry>, origins: [Int64: Origin], scopes: [Int64: Scope]) {
        self.page = page
        self.origins = origins
        self.scopes = scopes
    }
}
