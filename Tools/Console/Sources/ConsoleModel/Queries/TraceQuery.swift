/// A query for a list of traces.
package struct TraceQuery: Sendable, Hashable {
    /// Words that must all occur in the trace's spans or events, or ids of the trace, its spans, session or device.
    package var text = ""
    package var service: String?
    package var onlyWithErrors = false
    /// When the trace began, in nanoseconds since 1970.
    package var times: Range<Int64>?
    /// The duration of the trace, in nanoseconds.
    package var durations: ClosedRange<Int64>?
    package var cursor: String?
    /// The page size, 1 to 200.
    package var limit = 50

    package init(text: String = "", service: String? = nil, onlyWithErrors: Bool = false, limit: Int = 50) {
        self.text = text
        self.service = service
        self.onlyWithErrors = onlyWithErrors
        self.limit = limit
    }
}
