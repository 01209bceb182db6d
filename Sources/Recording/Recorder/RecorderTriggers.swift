/// The events that make the flight recorder send a session. See ``RecorderConfiguration``.
public struct RecorderTriggers: Equatable, Sendable {
    /// The previous run crashed, or had an uncaught exception. Default true.
    public var crashes = true
    /// The main thread did not respond for so long that the hang counts as severe. Default true.
    public var hangs = true
    /// The previous run ended in the foreground without an ending, as by a watchdog. Default true.
    public var runEnds = true
    /// A span or an event of severity `error` or above, except a failed request. Default true.
    public var errors = true
    /// A request that got a status of 500 or more, or timed out. Default true.
    public var failedRequests = true
    /// A span that took longer than this. Default `nil`: however long it takes.
    public var slowSpans: Duration?
    /// Flows that people are expected to complete. A session that ends within one is a trigger. Default none; the
    /// first 8 count.
    ///
    ///     configuration.recorder.triggers.abandonedFlows = [.init(from: "Cart", to: "Confirmation")]
    public var abandonedFlows: [Flow] = []
    /// The number of times that each of these, and `keepRecording`, can do so in an hour, 0 or more; flows are not
    /// limited. Default `nil`: 20, and 1,000 for a server.
    public var limitPerHour: Int?
    /// Spans that are a trigger if they take longer than a bound of their own, as a remote document names them.
    package var rules: [Rule] = []

    /// Creates the default.
    package init() {}

    /// Spans of a name, and the time beyond which they are a trigger.
    package struct Rule: Equatable, Sendable {
        package var span: String
        package var longerThan: Duration

        package init(span: String, longerThan: Duration) {
            self.span = span
            self.longerThan = longerThan
        }
    }

    /// A way through the app, from one screen to another.
    public struct Flow: Hashable, Sendable {
        /// The `app.screen.name` of its first screen.
        public var from: String
        /// The `app.screen.name` of its last screen.
        public var to: String

        /// Creates a flow.
        public init(from: String, to: String) {
            self.from = from
            self.to = to
        }
    }
}

/// The cause of a promotion, as `astrolabe.recorder.trigger` says it.
package enum RecorderTrigger: String, Hashable, Sendable, CaseIterable {
    case crash
    case exception
    case hang
    case runEnd = "run_end"
    case error
    case http
    case slow
    case flow
    case app
    /// A span over the bound of a rule.
    case rule
    /// A request from outside: remote policy asks a device for a session, or the console asks a server for a trace.
    case remote
}

/// The records that belong to a request of the flight recorder.
package enum RecorderKey: Sendable {
    /// Those of a session, on a device.
    case session
    /// Those of a trace, on a server: what it does at a time belongs to many sessions.
    case trace

    /// The number of times that one trigger makes a request in an hour.
    package var limitPerHour: Int {
        switch self {
        case .session: 20
        case .trace: 1_000
        }
    }
}
