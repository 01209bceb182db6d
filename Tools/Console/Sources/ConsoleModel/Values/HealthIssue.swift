import AstrolabeSemantics
package import AstrolabeTelemetryModel

/// The fingerprint of a symbolicated crash or hang, which assigns it to an issue.
package struct IssueFingerprint: Sendable, Hashable {
    /// The sequence number of the log record.
    package let seq: Int64
    package let kind: IssueKind
    /// The id of the issue, which crashes and hangs with the same cause share; 1 to 128 characters.
    package let fingerprint: String
    /// A description of the crash or hang.
    package let title: String
    /// The place in the app, such as `CartModel.add(_:) · CartModel.swift:42`; empty if unknown.
    package let place: String
    /// The build IDs of app images without symbols.
    package let wantedBuilds: [String]

    package init(
        seq: Int64, kind: IssueKind, fingerprint: String, title: String, place: String, wantedBuilds: [String],
    ) {
        self.seq = seq
        self.kind = kind
        self.fingerprint = fingerprint
        self.title = title
        self.place = place
        self.wantedBuilds = wantedBuilds
    }

    /// Computes an id of 32 hexadecimal digits from a list of words. It is the same in every process.
    package static func fingerprint(of words: [String]) -> String {
        let hash = StableHash(words.joined(separator: "\u{0}"))
        return TraceID(high: hash.high, low: hash.low).hex
    }
}

/// One reported crash or hang.
package struct IssueEvent: Sendable, Hashable {
    package let kind: IssueKind
    package let event: EventRecord
    package let origin: Origin
    /// The value of `session.id`; `nil` if there is none.
    package let session: String?

    package init(kind: IssueKind, event: EventRecord, origin: Origin, session: String?) {
        self.kind = kind
        self.event = event
        self.origin = origin
        self.session = session
    }
}

extension IssueEvent {
    /// A crash or hang that is not in a SQLite store.
    ///
    /// - Parameter seq: A number that identifies it, at most 2^53.
    /// - Returns: `nil` for an event that is neither a crash nor a hang.
    package init?(_ record: LogRecordData, resource: Resource, seq: Int64) {
        guard let kind = IssueKind(eventName: record.eventName) else { return nil }
        func json(_ attributes: Attributes) -> String {
            var text = JSONText()
            text.append(attributes)
            return text.string
        }
        var body = JSONText()
        if record.body != .empty { body.append(record.body) }
        let session = IndexedAttributes(record.attributes).session ?? IndexedAttributes(resource.attributes).session
        self.init(
            kind: kind,
            event: EventRecord(
                seq: seq, traceID: record.traceID, spanID: record.spanID, origin: 0,
                category: kind == .crash ? .crash : .event, severity: Int(record.severityNumber),
                timeUnixNano: record.timeUnixNano, name: record.eventName, bodyText: body.string,
                attributesText: json(record.attributes), observedUnixNano: record.observedTimeUnixNano,
                sentUnixNano: nil, flags: UInt32(record.flags.rawValue) | record.reservedFlags,
                severityText: record.severityText, droppedAttributes: Int(record.droppedAttributesCount), scope: 0),
            origin: Origin(
                id: 0, service: resource.attributes[AttributeKey.serviceName]?.stringValue ?? "unknown_service",
                side: OriginSide(resource), attributesText: json(resource.attributes), schemaURL: "",
                droppedAttributes: 0),
            session: session)
    }
}

/// One crash or hang in a list.
package struct IssueEventSummary: Sendable, Hashable {
    package let seq: Int64
    package let kind: IssueKind
    package let timeUnixNano: UInt64
    package let session: String?
    package let installation: String
    package let appVersion: String
    package let screen: String
    /// The duration in seconds; `nil` for a crash.
    package let duration: Double?

    package init(
        seq: Int64, kind: IssueKind, timeUnixNano: UInt64, session: String?, installation: String,
        appVersion:
            String, screen: String, duration: Double?,
    ) {
        self.seq = seq
        self.kind = kind
        self.timeUnixNano = timeUnixNano
        self.session = session
        self.installation = installation
        self.appVersion = appVersion
        self.screen = screen
        self.duration = duration
    }
}

/// An issue: crashes or hangs with the same cause.
package struct HealthIssue: Sendable, Hashable {
    package let fingerprint: String
    package let kind: IssueKind
    /// The title of the latest crash or hang.
    package let title: String
    package let place: String
    package let wantedBuilds: [String]
    package let count: Int
    /// The number of affected installations of the app.
    package let users: Int
    package let sessions: Int
    /// The values of `service.name` of the apps with the crash or hang, the most frequent first, like versions and
    /// screens.
    package let services: [String]
    package let versions: [String]
    package let screens: [String]
    package let firstUnixNano: UInt64
    package let lastUnixNano: UInt64
    /// The duration of the longest hang in seconds; `nil` for crashes.
    package let longest: Double?
    package let total: Double?
    /// The number of crashes and hangs on each of the last `HealthIssue.days` days in UTC, today last.
    package let perDay: [Int]

    package static let days = 14
    /// The maximum number of services, versions and screens that an issue lists.
    package static let nameLimit = 20

    package init(
        fingerprint: String, kind: IssueKind, title: String, place: String, wantedBuilds: [String], count: Int,
        users: Int, sessions: Int, services: [String], versions: [String], screens: [String], firstUnixNano: UInt64,
        lastUnixNano: UInt64, longest: Double?, total: Double?, perDay: [Int],
    ) {
        self.fingerprint = fingerprint
        self.kind = kind
        self.title = title
        self.place = place
        self.wantedBuilds = wantedBuilds
        self.count = count
        self.users = users
        self.sessions = sessions
        self.services = services
        self.versions = versions
        self.screens = screens
        self.firstUnixNano = firstUnixNano
        self.lastUnixNano = lastUnixNano
        self.longest = longest
        self.total = total
        self.perDay = perDay
    }
}
