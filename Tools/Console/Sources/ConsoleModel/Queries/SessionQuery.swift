/// A query for a list of sessions.
package struct SessionQuery: Sendable, Hashable {
    /// Words that must all occur in the session's id, its device, or the names and attributes of its records, or ids of
    /// the session, its device, traces and spans.
    package var text = ""
    /// A `service.name` that must occur in the session.
    package var service: String?
    package var onlyWithErrors = false
    /// The promotion that a session must have; `nil` for any session.
    package var promotion: Promotion?
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

    /// A condition on the records of a session that the flight recorder sent.
    package enum Promotion: Sendable, Hashable {
        case absent
        case any
        case by(trigger: String)
    }

    package init(text: String = "", service: String? = nil, onlyWithErrors: Bool = false, limit: Int = 50) {
        self.text = text
        self.service = service
        self.onlyWithErrors = onlyWithErrors
        self.limit = limit
    }
}
