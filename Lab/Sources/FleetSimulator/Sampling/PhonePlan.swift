/// A phone's day as the comparison needs it: what the app records, and when it can send. It is the same for every rate
/// of bad sessions and every scheme.
struct PhonePlan: Sendable {
    /// An action of the user, with a trace and an event, and what the policy says at its time.
    struct Action: Sendable {
        let time: Double
        let session: Int
        let spans: Int
        /// The policy's sampling rate.
        var rate = 1.0
        /// True if the mode collects ordinary events.
        var admitsEvents = true
        var isRecorderOn = true
    }

    struct Session: Sendable {
        let start: Double
        /// The session's actions, by index.
        var actions: Range<Int>
        /// 0..<1; the session is chosen if it is less than the rate.
        let randomness: Double
        /// 0..<1; something goes wrong if it is less than the share of bad sessions.
        let faultDraw: Double
        let fault: SamplingFault
        /// 0..<1; which of its actions that is.
        let position: Double
        /// Seconds until the user opens the app again after a crash; `nil` if only for the next use.
        let relaunch: Double?
    }

    /// A period in the foreground, in seconds since the start.
    struct Use: Sendable {
        let start: Double
        var end: Double
    }

    struct Moment: Sendable {
        let time: Double
        let event: Event
    }

    enum Event: Sendable {
        case action(Int)
        /// A number of metrics is collected.
        case metrics(Int)
        case flush(Outcome)
        /// A run of the app begins. It reports the end of the one before, which is that of a bad session.
        case launch(reporting: Int?)
        /// Something goes wrong in a bad session.
        case trigger(Int)
    }

    /// The outcome of a flush.
    enum Outcome: Sendable {
        case arrives
        /// The requests are sent, and not accepted.
        case isLost
        /// There is no network or no collector, or the policy sends nothing.
        case isBlocked
    }

    var sessions: [Session] = []
    var actions: [Action] = []
    var uses: [Use] = []
    /// In order of time.
    var moments: [Moment] = []
}
