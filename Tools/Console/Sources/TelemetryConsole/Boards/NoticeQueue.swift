import Logging
import TelemetryBoards

/// Stores the notices of alerts, and sends them until their receivers have taken them.
///
///     await notices.take(changes)      // stored
///     await notices.send()             // those that are due
///
/// A notice that was on its way when the process ended is sent again. So a receiver may get one twice.
actor NoticeQueue {
    /// `nil` keeps the notices in memory.
    private let file: StateFile<NoticeBook>?
    private let sender: WebhookSender
    private let logger: Logger
    private let now: @Sendable () -> Int64
    private(set) var book: NoticeBook
    /// The address of the console without a path; `nil` until it is known.
    private var address: String?
    /// The alerts whose last notice was delivered.
    private var delivered: Set<AlertName> = []
    private var loggedDrops: Int
    private var isUnsaved = false
    /// True if the log has a line about a file that cannot be written.
    private var isUnwritable = false

    /// Reads the notices of the run before.
    ///
    /// - Parameters:
    ///   - path: The file; `nil` for none.
    ///   - address: The address of the console for links, without a path.
    ///   - now: Returns the nanoseconds since 1970.
    init(
        path: String? = nil, sender: WebhookSender = WebhookSender(), address: String? = nil,
        logger: Logger = Logger(label: "astrolabe.console"), now: @escaping @Sendable () -> Int64 = { 0 },
    ) {
        let file = path.map { StateFile<NoticeBook>(path: $0) }
        var book = NoticeBook()
        do {
            book = try file?.read() ?? book
        } catch {
            let place = file?.setAside().map { "was moved to \($0)" } ?? "will be replaced"
            logger.error("the file of the notices cannot be read, and \(place): \(error)")
        }
        self.file = file
        self.sender = sender
        self.address = address
        self.logger = logger
        self.now = now
        self.book = book
        loggedDrops = book.dropped
    }

    /// Sets the address of the console without a path, for the links of the notices from now on.
    func serve(at address: String) { self.address = address }

    /// Stores the notices of changes. They are sent by the next ``send()``.
    func take(_ changes: [AlertMonitor.Change]) {
        for change in changes {
            do {
                try note(change)
            } catch {
                logger.error("an alert has no notice: \(error)", metadata: ["alert": "\(change.status.rule.name)"])
            }
        }
        save()
    }

    private func note(_ change: AlertMonitor.Change) throws {
        let event = change.event
        let subject = NoticeBook.Subject(alert: change.status.id, group: event.group, isUnknown: event.change.isUnknown)
        let incident = book.incident(of: subject)
        switch event.change {
        case .fired, .unknown:
            guard incident == nil, let webhook = change.status.rule.webhook else { return }
            let id = Self.makeID()
            let body = try AlertMessage(change, incident: id, link: link).json()
            book.begin(subject, at: webhook, id: id, body: body, time: event.time)
        case .recovered, .known:
            guard let incident else { return }
            let body = try AlertMessage(change, incident: incident.id, link: link).json()
            book.end(incident, body: body, time: event.time)
        }
        isUnsaved = true
    }

    /// Ends the incidents of alerts that are in no board any more, or have another webhook.
    ///
    /// - Parameters:
    ///   - webhooks: Those of the alerts of the boards.
    ///   - boards: The boards that cannot be read, whose alerts are not known.
    func end(exceptOf webhooks: [AlertName: Webhook], unreadable boards: Set<String>, at time: Int64) {
        for incident in book.incidents {
            let alert = incident.subject.alert
            guard webhooks[alert] != incident.webhook, !boards.contains(alert.board) else { continue }
            guard let body = try? AlertMessage(removing: incident, at: time, link: link).json() else { continue }
            book.end(incident, body: body, time: time)
            isUnsaved = true
        }
        if boards.isEmpty {
            let alerts = Set(webhooks.keys)
            book.forgetLosses(exceptOf: alerts)
            delivered.formIntersection(alerts)
        }
        save()
    }

    /// Sends the notices that are due: to one receiver one after another until one fails, to several at the same time.
    func send() async {
        let webhooks = Set(book.notices.map(\.webhook))
        await withDiscardingTaskGroup { group in
            for webhook in webhooks { group.addTask { await self.send(to: webhook) } }
        }
        // What could not be written before.
        save()
    }

    private func send(to webhook: Webhook) async {
        while !Task.isCancelled, let notice = book.next(to: webhook, at: now()) {
            let outcome = await sender.post(notice.body, to: webhook)
            guard settle(notice, outcome) else { return }
        }
    }

    /// Notes the outcome of an attempt. Returns whether the receiver took the notice.
    private func settle(_ notice: NoticeBook.Notice, _ outcome: WebhookSender.Outcome) -> Bool {
        let alert = notice.subject.alert
        let metadata: Logger.Metadata = ["alert": "\(alert.alert)", "board": "\(alert.board)"]
        // What is on its way when the console stops says nothing about the receiver.
        guard outcome == .delivered || !Task.isCancelled else {
            book.settle(notice.id, .interrupted, at: now())
            return false
        }
        book.settle(notice.id, outcome.result, at: now())
        isUnsaved = true
        save()
        if outcome == .delivered {
            delivered.insert(alert)
            if notice.attempts > 0 {
                logger.notice("alert posted after \(notice.attempts) attempts that failed", metadata: metadata)
            }
        } else if notice.attempts == 0 {
            logger.warning("alert not posted, and tried again for a day: \(outcome.reason)", metadata: metadata)
        }
        return outcome == .delivered
    }

    /// Returns how the notices of alerts do; `nil` for one that has had none since the start.
    func deliveries(of alerts: [AlertName]) -> [NoticeBook.Delivery?] {
        alerts.map { alert in
            book.delivery(of: alert) ?? (delivered.contains(alert) ? NoticeBook.Delivery(result: .delivered) : nil)
        }
    }

    private var link: String? { address.map { $0 + "/alerts" } }

    /// Writes what has changed. What cannot be written is sent nevertheless, and written later.
    private func save() {
        if book.dropped > loggedDrops {
            logger.warning(
                """
                \(book.dropped - loggedDrops) incidents of alerts were dropped, each with its beginning and its end, \
                because their notices were not delivered for a day or there are too many
                """)
            loggedDrops = book.dropped
        }
        guard isUnsaved, let file else { return }
        do {
            try file.write(book)
            isUnsaved = false
            isUnwritable = false
        } catch {
            if !isUnwritable {
                logger.error("the notices of alerts cannot be written, and a restart would lose them: \(error)")
            }
            isUnwritable = true
        }
    }

    /// Returns 16 hexadecimal digits that no other incident has.
    private static func makeID() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension WebhookSender.Outcome {
    fileprivate var result: NoticeBook.Outcome {
        switch self {
        case .delivered: .delivered
        case .timedOut, .unreachable: .noResponse
        // A restart with other settings mends these. Until then the console only looks.
        case .unconfigured, .keyless, .forbidden: .noResponse
        // Also after a status that condemns the notice: who has a wrong address or key mends it within the day.
        case .redirected: .refused(retryAfter: nil)
        case .status(_, let retryAfter): .refused(retryAfter: retryAfter)
        }
    }
}
