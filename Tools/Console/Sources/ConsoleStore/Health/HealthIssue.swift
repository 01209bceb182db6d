import AstrolabeTelemetryModel

/// The fingerprint of a symbolicated crash or hang, which assigns it to an issue.
package struct IssueFingerprint: Sendable, Hashable {
    /// The sequence number of the log record.
    package let seq: Int64
    package let kind: ProblemKind
    /// The id of the issue, which problems with the same cause share; 1 to 128 characters.
    package let fingerprint: String
    /// A description of the problem.
    package let title: String
    /// The place in the app, such as `CartModel.add(_:) · CartModel.swift:42`; empty if unknown.
    package let place: String
    /// The build IDs of app images without symbols.
    package let wantedBuilds: [String]

    package init(
        seq: Int64, kind: ProblemKind, fingerprint: String, title: String, place: String, wantedBuilds: [String],
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
package struct ProblemRecord: Sendable, Hashable {
    package let kind: ProblemKind
    package let event: EventRecord
    package let origin: Origin
    /// The value of `session.id`; `nil` if there is none.
    package let session: String?
}

/// One crash or hang in a list.
package struct ProblemSummary: Sendable, Hashable {
    package let seq: Int64
    package let kind: ProblemKind
    package let timeUnixNano: UInt64
    package let session: String?
    package let installation: String
    package let appVersion: String
    package let screen: String
    /// The duration in seconds; `nil` for a crash.
    package let duration: Double?
}

/// An issue: crashes or hangs with the same cause.
package struct ProblemGroup: Sendable, Hashable {
    package let fingerprint: String
    package let kind: ProblemKind
    /// The title of the latest problem.
    package let title: String
    package let place: String
    package let wantedBuilds: [String]
    package let count: Int
    /// The number of affected installations of the app.
    package let users: Int
    package let sessions: Int
    package let versions: [String]
    package let screens: [String]
    package let firstUnixNano: UInt64
    package let lastUnixNano: UInt64
    /// The duration of the longest hang in seconds; `nil` for crashes.
    package let longest: Double?
    package let total: Double?
    /// The number of problems on each of the last `ProblemGroup.days` days in UTC, today last.
    package let perDay: [Int]

    package static let days = 14
}
