import AstrolabeTelemetryModel

/// What somebody who read a crash's or a hang's stacks found: what it is called, and which others it belongs to.
package struct IssueFingerprint: Sendable, Hashable {
    /// The number of its log record.
    package let seq: Int64
    package let kind: ProblemKind
    /// The same for problems of the same cause; 1 to 128 characters.
    package let fingerprint: String
    /// What happened, in words.
    package let title: String
    /// Where in the app it happened, such as `CartModel.add(_:) · CartModel.swift:42`; empty where unknown.
    package let place: String
    /// Build ids of images of the app whose debug information would tell more.
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

    /// A short name for a list of words, the same in every run: 32 hexadecimal digits.
    package static func fingerprint(of words: [String]) -> String {
        let hash = StableHash(words.joined(separator: "\u{0}"))
        return TraceID(high: hash.high, low: hash.low).hex
    }
}

/// One crash or hang as it was reported.
package struct ProblemRecord: Sendable, Hashable {
    package let kind: ProblemKind
    package let event: EventRecord
    package let origin: Origin
    /// The value of `session.id`; `nil` where it names none.
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
    /// Seconds; `nil` for a crash.
    package let duration: Double?
}

/// Crashes, or hangs, of one cause.
package struct ProblemGroup: Sendable, Hashable {
    package let fingerprint: String
    package let kind: ProblemKind
    /// Of the latest.
    package let title: String
    package let place: String
    package let wantedBuilds: [String]
    package let count: Int
    /// Installations of the app that it happened to.
    package let users: Int
    package let sessions: Int
    package let versions: [String]
    package let screens: [String]
    package let firstUnixNano: UInt64
    package let lastUnixNano: UInt64
    /// Seconds of the longest, and of all together; `nil` for crashes.
    package let longest: Double?
    package let total: Double?
    /// How many there were in each of the last `ProblemGroup.days` days by UTC, today last.
    package let perDay: [Int]

    package static let days = 14
}
