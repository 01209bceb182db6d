/// A query for a part of a session's timeline.
package struct TimelineQuery: Sendable, Hashable {
    /// The value of `session.id`.
    package var session: String
    /// The `next` value of the previous page.
    package var cursor: String?
    /// Only records that arrived after this sequence number.
    package var arrivedAfter: Int64 = 0
    /// Only records in this range of corrected times, in nanoseconds since 1970.
    package var times: ClosedRange<UInt64> = 0...UInt64.max
    /// Only events with this name. Replay frames, which timelines do not list, are found only by name.
    package var eventName: String?
    /// The page size, 1 to 5,000.
    package var limit = 1_000

    package init(session: String, limit: Int = 1_000) {
        self.session = session
        self.limit = limit
    }
}

package struct TimelinePage: Sendable {
    /// The spans and events of device and backend, ordered by time.
    package let items: [TimelineItem]
    package let origins: [Int64: Origin]
    package let scopes: [Int64: Scope]
    /// The correction that is added to the times of the backend's records, so that they are times of the phone's clock;
    /// 0 if the clocks agree. `items` are ordered by the corrected times, but have the recorded ones.
    package let backendShiftNano: Int64
    package let next: String?
    package let cursor: Int64

    package init(
        items: [TimelineItem], origins: [Int64: Origin], scopes: [Int64: Scope], backendShiftNano: Int64, next: String?,
        cursor: Int64,
    ) {
        self.items = items
        self.origins = origins
        self.scopes = scopes
        self.backendShiftNano = backendShiftNano
        self.next = next
        self.cursor = cursor
    }
}

extension TimelineItem {
    package var origin: Int64 {
        switch self {
        case .span(let span): span.origin
        case .event(let event): event.origin
        }
    }

    package var scope: Int64 {
        switch self {
        case .span(let span): span.scope
        case .event(let event): event.scope
        }
    }
}
