package import AstrolabeTelemetryModel

/// The facts that the store knows of a session as a whole.
package struct StoredSession: Sendable, Hashable {
    package let id: Int64
    package let name: String
    package let startUnixNano: Int64
    package let endUnixNano: Int64
    package let spans: Int64
    package let events: Int64
    package let errors: Int64
    package let crashes: Int64
    package let hangs: Int64
    package let requests: Int64
    package let failedRequests: Int64
    package let screens: Int64
    package let isConverted: Bool
    /// True if the session has a checkout and no conversion: see ``ConversionEvents``.
    package let isAbandoned: Bool
    /// The sum of the amounts of the session's conversions, those of backends only if there are no others; `nil` if no
    /// conversion has one.
    package let orderValue: Double?
    /// The first trigger for which the flight recorder sent records of the session; `nil` if it sent none.
    package let trigger: String?
    /// The start of the minute in which the newest record arrived; `nil` if that is unknown.
    package let arrivedUnixNano: Int64?
    package let origin: Int64

    package init(
        id: Int64, name: String, startUnixNano: Int64, endUnixNano: Int64, spans: Int64, events: Int64, errors: Int64,
        crashes: Int64, hangs: Int64, requests: Int64, failedRequests: Int64, screens: Int64, isConverted: Bool,
        isAbandoned: Bool, orderValue: Double?, trigger: String?, arrivedUnixNano: Int64?, origin: Int64,
    ) {
        self.id = id
        self.name = name
        self.startUnixNano = startUnixNano
        self.endUnixNano = endUnixNano
        self.spans = spans
        self.events = events
        self.errors = errors
        self.crashes = crashes
        self.hangs = hangs
        self.requests = requests
        self.failedRequests = failedRequests
        self.screens = screens
        self.isConverted = isConverted
        self.isAbandoned = isAbandoned
        self.orderValue = orderValue
        self.trigger = trigger
        self.arrivedUnixNano = arrivedUnixNano
        self.origin = origin
    }
}

/// The rows of a table in a range of numbers, and what changes whenever one of the rows does.
package struct RowBlock: Sendable, Hashable {
    /// The rows have the numbers from `number * width` on.
    package let number: Int64
    package let rowCount: Int
    /// The latest time of what the rows sum up, in nanoseconds since 1970.
    package let end: Int64
    package let stamp: [Int64]

    package init(number: Int64, rowCount: Int, end: Int64, stamp: [Int64]) {
        self.number = number
        self.rowCount = rowCount
        self.end = end
        self.stamp = stamp
    }

    /// The length of the range.
    package static let width: Int64 = 65_536

    package var range: ClosedRange<Int64> { number * Self.width...number * Self.width + Self.width - 1 }
}

/// One crash or hang that is assigned to an issue.
package struct StoredIssueEvent: Sendable, Hashable {
    package let seq: Int64
    package let kind: IssueKind
    package let timeUnixNano: Int64
    package let fingerprint: String
    package let title: String
    package let place: String
    package let version: String
    package let screen: String
    /// The duration in seconds; `nil` for a crash.
    package let duration: Double?
    /// The value of `session.id`; `nil` if there is none.
    package let session: String?
    package let traceID: TraceID
    /// The attributes of the event that are no arrays or objects, as JSON. Its stacks can be large.
    package let attributesText: String
    /// The start of the minute in which the event arrived; `nil` if that is unknown.
    package let arrivedUnixNano: Int64?
    package let origin: Int64

    package init(
        seq: Int64, kind: IssueKind, timeUnixNano: Int64, fingerprint: String, title: String, place: String,
        version: String, screen: String, duration: Double?, session: String?, traceID: TraceID, attributesText: String,
        arrivedUnixNano: Int64?, origin: Int64,
    ) {
        self.seq = seq
        self.kind = kind
        self.timeUnixNano = timeUnixNano
        self.fingerprint = fingerprint
        self.title = title
        self.place = place
        self.version = version
        self.screen = screen
        self.duration = duration
        self.session = session
        self.traceID = traceID
        self.attributesText = attributesText
        self.arrivedUnixNano = arrivedUnixNano
        self.origin = origin
    }
}
