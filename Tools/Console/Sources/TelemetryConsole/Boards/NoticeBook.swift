import TelemetryBoards

/// An alert by its board and its name there.
struct AlertName: Codable, Hashable, Sendable {
    var board: String
    var alert: String
}

/// The notices that wait for their receivers, and the incidents of which receivers will have to know the end.
///
/// The notices of one subject go to a receiver in the order in which they were made. The end of an incident follows
/// its beginning, or both are dropped. A receiver that does not respond rests as a whole, and one that refuses a notice
/// gets those of other subjects.
///
/// Times are in nanoseconds since 1970. A clock that is set delays a notice by ``longestWait`` at most.
///
/// Its file names environment variables and not the addresses in them.
struct NoticeBook: StateContent {
    /// The subject that begins and ends: a group of an alert that fires, or an alert that is unknown.
    struct Subject: Codable, Hashable, Sendable {
        var alert: AlertName
        var group: String
        var isUnknown: Bool
    }

    /// An incident that has begun and not ended.
    struct Incident: Codable, Hashable, Sendable {
        let id: String
        let subject: Subject
        /// The webhook that its beginning went to, and that its end will go to.
        let webhook: Webhook
        let since: Int64
        /// True if its beginning was dropped, so that its end will be, too.
        var isDropped = false
    }

    struct Notice: Codable, Hashable, Sendable {
        let id: Int
        let incident: String
        let subject: Subject
        let webhook: Webhook
        let isEnd: Bool
        let body: String
        let made: Int64
        var attempts = 0
        /// The time of the next attempt.
        var due: Int64
    }

    /// A receiver that does not respond, or asks to be left alone.
    struct Receiver: Codable, Hashable, Sendable {
        let webhook: Webhook
        /// The attempts in a row without a response.
        var silences = 0
        /// When the next notice may be sent.
        var due: Int64
    }

    /// The incidents of an alert that were dropped since its last delivery.
    struct Loss: Codable, Hashable, Sendable {
        let alert: AlertName
        var incidents: Int
        /// The newest notice when the last one was dropped.
        var newest: Int
    }

    struct Limits: Hashable, Sendable {
        /// The maximum number of notices that wait, and of incidents that are open. The default is 1,000.
        var notices = 1_000
        /// The maximum size of their bodies, in bytes. The default is 1 MiB.
        var bytes = 1 << 20
        /// The age after which a notice is dropped. The default is a day. A beginning is kept while its incident is
        /// open.
        var age: Duration = .seconds(86_400)
        /// The attempts before a notice is dropped, whatever the clock says. The default is 24, which take more than
        /// an hour.
        var attempts = 24
    }

    /// The outcome of an attempt.
    enum Outcome: Hashable, Sendable {
        case delivered
        /// The receiver responded, and did not take the notice.
        case refused(retryAfter: Duration?)
        case noResponse
        /// The console stopped.
        case interrupted
    }

    static let currentVersion = 1
    /// The maximum time between two attempts that a receiver can ask for with `Retry-After`: an hour.
    static let longestWait: Duration = .seconds(3_600)

    private(set) var version = Self.currentVersion
    private(set) var incidents: [Incident] = []
    private(set) var notices: [Notice] = []
    private(set) var losses: [Loss] = []
    /// The number of incidents that were dropped, ever.
    private(set) var dropped = 0
    private var receivers: [Receiver] = []
    private var newest = 0
    /// Not stored.
    var limits = Limits()
    /// The notices that are on their way. Not stored, so that they are sent again after the end of the process.
    private var sending: Set<Int> = []

    private enum CodingKeys: String, CodingKey {
        case version, incidents, notices, losses, dropped, receivers, newest
    }

    /// Adds an incident and the notice of its beginning, unless the subject has one that is open. If too many are open,
    /// the incident is dropped.
    mutating func begin(_ subject: Subject, at webhook: Webhook, id: String, body: String, time: Int64) {
        guard self.incident(of: subject) == nil else { return }
        guard incidents.count < limits.notices else { return lose(subject.alert) }
        let incident = Incident(id: id, subject: subject, webhook: webhook, since: time)
        incidents.append(incident)
        add(incident, isEnd: false, body: body, time: time)
    }

    /// Returns the open incident of a subject.
    func incident(of subject: Subject) -> Incident? {
        incidents.first { $0.subject == subject }
    }

    /// Ends an incident and adds the notice of it, unless that of its beginning was dropped.
    mutating func end(_ incident: Incident, body: String, time: Int64) {
        guard let index = incidents.firstIndex(where: { $0.id == incident.id }) else { return }
        guard !incidents.remove(at: index).isDropped else { return }
        add(incident, isEnd: true, body: body, time: time)
    }

    private mutating func add(_ incident: Incident, isEnd: Bool, body: String, time: Int64) {
        newest += 1
        notices.append(
            Notice(
                id: newest, incident: incident.id, subject: incident.subject, webhook: incident.webhook, isEnd: isEnd,
                body: body, made: time, due: time))
        while notices.count > limits.notices || notices.reduce(0, { $0 + $1.body.utf8.count }) > limits.bytes {
            guard dropOldest() else { return }
        }
    }

    /// Returns the notice to send to a receiver now, and notes that it is on its way until ``settle(_:_:at:)``.
    mutating func next(to webhook: Webhook, at time: Int64) -> Notice? {
        if let receiver = receivers.first(where: { $0.webhook == webhook }), !Self.isDue(receiver.due, at: time) {
            return nil
        }
        var subjects: Set<Subject> = []
        var next: Notice?
        for notice in notices where notice.webhook == webhook {
            guard subjects.insert(notice.subject).inserted, !sending.contains(notice.id),
                Self.isDue(notice.due, at: time), notice.due < next?.due ?? .max
            else { continue }
            next = notice
        }
        if let next { sending.insert(next.id) }
        return next
    }

    /// Takes the outcome of an attempt.
    ///
    /// - Returns: Whether the notice was dropped.
    @discardableResult
    mutating func settle(_ id: Int, _ outcome: Outcome, at time: Int64) -> Bool {
        sending.remove(id)
        guard let index = notices.firstIndex(where: { $0.id == id }) else { return false }
        let webhook = notices[index].webhook
        switch outcome {
        case .interrupted: return false
        case .delivered:
            receivers.removeAll { $0.webhook == webhook }
            let notice = notices.remove(at: index)
            losses.removeAll { $0.alert == notice.subject.alert && $0.newest < id }
            return false
        case .refused(let retryAfter):
            receivers.removeAll { $0.webhook == webhook }
            notices[index].attempts += 1
            let requested = min(retryAfter ?? .zero, Self.longestWait)
            notices[index].due = time + max(Self.wait(after: notices[index].attempts), requested).wholeNanoseconds
            if requested > .zero {
                receivers.append(Receiver(webhook: webhook, due: time + requested.wholeNanoseconds))
            }
        case .noResponse:
            notices[index].attempts += 1
            var receiver = receivers.first { $0.webhook == webhook } ?? Receiver(webhook: webhook, due: time)
            receiver.silences += 1
            receiver.due = time + Self.wait(after: receiver.silences).wholeNanoseconds
            receivers.removeAll { $0.webhook == webhook }
            receivers.append(receiver)
        }
        let notice = notices[index]
        let isOpen = !notice.isEnd && incidents.contains { $0.id == notice.incident }
        guard !isOpen, notice.attempts >= limits.attempts, time - notice.made >= limits.age.wholeNanoseconds else {
            return false
        }
        drop(notice)
        return true
    }

    /// Forgets what was dropped of alerts that are not among `alerts`.
    mutating func forgetLosses(exceptOf alerts: Set<AlertName>) {
        losses.removeAll { !alerts.contains($0.alert) }
    }

    /// The pause after a number of failures: a second, doubled each time, and 5 minutes at most.
    static func wait(after failures: Int) -> Duration {
        .seconds(min(1 << min(max(failures - 1, 0), 9), 300))
    }

    /// A time further away than any pause was noted before the clock was set back.
    private static func isDue(_ due: Int64, at time: Int64) -> Bool {
        due <= time || due - time > longestWait.wholeNanoseconds
    }

    /// Drops an incident that has begun and ended, or one that is open, or else the end of one.
    private mutating func dropOldest() -> Bool {
        let waiting = notices.filter { !sending.contains($0.id) }
        let ended = Set(waiting.lazy.filter(\.isEnd).map(\.incident))
        let oldest =
            waiting.first { !$0.isEnd && ended.contains($0.incident) } ?? waiting.first { !$0.isEnd } ?? waiting.first
        guard let oldest else { return false }
        drop(oldest)
        return true
    }

    /// Drops a notice, and the one that must not come without it.
    private mutating func drop(_ notice: Notice) {
        notices.removeAll { $0.id == notice.id || (!notice.isEnd && $0.incident == notice.incident) }
        if let index = incidents.firstIndex(where: { $0.id == notice.incident }) { incidents[index].isDropped = true }
        let webhooks = Set(notices.map(\.webhook))
        receivers.removeAll { !webhooks.contains($0.webhook) }
        lose(notice.subject.alert)
    }

    private mutating func lose(_ alert: AlertName) {
        dropped += 1
        let before = losses.first { $0.alert == alert }?.incidents ?? 0
        losses.removeAll { $0.alert == alert }
        losses.append(Loss(alert: alert, incidents: before + 1, newest: newest))
    }
}

extension NoticeBook {
    /// The state of an alert's notices, as its page shows it.
    struct Delivery: Hashable, Sendable {
        enum Result: String, Hashable, Sendable {
            case delivered
            /// Not tried yet.
            case waiting
            /// The last attempt failed, or an incident was dropped and nothing was delivered since.
            case failed
        }

        var result: Result
        /// The notices that wait.
        var waiting = 0
        /// The incidents that were dropped since the last delivery.
        var dropped = 0
    }

    /// Returns how the notices of an alert do; `nil` if none waits and none was dropped.
    func delivery(of alert: AlertName) -> Delivery? {
        let waiting = notices.filter { $0.subject.alert == alert }
        let dropped = losses.first { $0.alert == alert }?.incidents ?? 0
        guard !waiting.isEmpty || dropped > 0 else { return nil }
        let silent = Set(receivers.lazy.filter { $0.silences > 0 }.map(\.webhook))
        let fails = dropped > 0 || waiting.contains { $0.attempts > 0 || silent.contains($0.webhook) }
        return Delivery(result: fails ? .failed : .waiting, waiting: waiting.count, dropped: dropped)
    }
}

extension Duration {
    /// The nanoseconds of a duration of at most a year.
    fileprivate var wholeNanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
