/// The part of a remote document that the policy takes as one more input.
///
///     var remote = RemotePolicy(version: 12)
///     remote.samplingRates.normal = 0.05
///     remote.off = [.replay]
///     CollectionPolicy(configuration, remote: remote)
///
/// What it does not name is as the app has configured it. It is never more than the app permits, because a document
/// beyond ``RemotePolicyBounds`` is refused as a whole before it comes here.
package struct RemotePolicy: Equatable, Sendable {
    /// The number of the document, which the reasons of a decision name.
    package var version: Int
    /// The name of the document: see `PolicyDocument`.
    package var hash: String
    /// The share of sessions in each mode; `nil` leaves the mode's as it is.
    package var samplingRates = ModeTable<Double?>(full: nil, normal: nil, reduced: nil, minimal: nil)
    /// The time between two flushes in each mode; `nil` leaves the mode's as it is.
    package var flushIntervals = ModeTable<Duration?>(full: nil, normal: nil, reduced: nil, minimal: nil)
    package var admission: PolicyConfiguration.Admission?
    /// The instruments that are off.
    package var off: Set<Instrument> = []
    /// The names of the instrumentation scopes whose records are dropped, of the app or of a library.
    package var offScopes: Set<String> = []
    package var triggers = RemoteTriggers()
    /// True while this installation records each session, except in the mode minimal.
    package var recordsInFull = false

    package init(version: Int, hash: String = "") {
        self.version = version
        self.hash = hash
    }

    /// True if nothing is recorded.
    package var isAllOff: Bool { off.contains(.all) }

    /// True if it may be the reason that nothing is delivered: each session begins with an event of the SDK.
    package var mayBeSilent: Bool { turnsOff(.events) || !offScopes.isEmpty }

    /// Names what the document says of rates; empty if nothing. A document that says the same has the same.
    package var rateSource: String {
        let rates = TelemetryMode.allCases.map { mode in samplingRates[mode].map { "\($0)" } ?? "" }
        let isAny = recordsInFull || rates.contains { !$0.isEmpty }
        return isAny ? (rates + ["\(recordsInFull)"]).joined(separator: " ") : ""
    }

    /// Returns true if an instrument is off, alone or with all others.
    package func turnsOff(_ instrument: Instrument) -> Bool { off.contains(instrument) || isAllOff }
}

/// A part of the SDK that a kill switch turns off.
package enum Instrument: String, Hashable, Sendable, CaseIterable {
    /// Everything that is recorded. What is stored is still sent.
    case all
    /// Spans, of the app too.
    case spans
    /// Events and log records, of the app too.
    case events
    /// Metrics, of the app too.
    case metrics
    case replay
    /// The flight recorder.
    case recorder
    /// Traced views, screens and taps.
    case views
    /// Traced requests.
    case http
    /// Crashes, hangs, starts, endings and late frames. While it is off at a start, no handler of it is installed.
    case health
    /// Changes of the device's conditions, and the decisions after them.
    case conditions
    case navigation
    /// Handled errors.
    case errors

    /// The instrumentation scope of its records; `nil` if it has no scope of its own.
    package var scope: String? {
        switch self {
        case .all, .spans, .events, .metrics, .replay, .recorder: nil
        case .views, .http, .health, .conditions, .navigation, .errors: "astrolabe.\(rawValue)"
        }
    }
}

/// The triggers of the flight recorder as a remote document sets them; `nil` leaves one as the app has configured it.
package struct RemoteTriggers: Equatable, Sendable {
    package var crashes: Bool?
    package var hangs: Bool?
    package var runEnds: Bool?
    package var errors: Bool?
    package var failedRequests: Bool?
    /// Any span that takes longer.
    package var slowSpans: Duration?
    /// Promotions of each trigger in an hour.
    package var limitPerHour: Int?
    /// Bytes of records promoted in a day of UTC.
    package var dailyBytes: Int?
    /// The ways through the app that replace those of the configuration.
    package var flows: [Flow]?
    /// Spans of a name that take longer than a bound of their own.
    package var rules: [Rule] = []

    package init() {}

    /// A session that ends after the first screen and before the last one is a trigger.
    package struct Flow: Equatable, Sendable {
        package var from: String
        package var to: String

        package init(from: String, to: String) {
            self.from = from
            self.to = to
        }
    }

    /// A span of this name that takes longer is a trigger.
    package struct Rule: Equatable, Sendable {
        package var span: String
        package var longerThan: Duration

        package init(span: String, longerThan: Duration) {
            self.span = span
            self.longerThan = longerThan
        }
    }
}
