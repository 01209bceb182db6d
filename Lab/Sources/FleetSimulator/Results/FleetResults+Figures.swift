import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabeTelemetryModel

/// A figure of the results, for the table and the page.
struct Figure: Sendable, Equatable {
    let label: String
    let value: String
    /// The whole that the value is a share of, or a note.
    var note = ""
}

/// A group of figures.
struct FigureGroup: Sendable, Equatable {
    let title: String
    let figures: [Figure]
}

extension Priority {
    /// The priorities, most urgent first.
    static let byUrgency = Priority.allCases.sorted(by: >)

    var word: String {
        switch self {
        case .critical: "critical"
        case .high: "high"
        case .normal: "normal"
        case .low: "low"
        }
    }

    /// Examples of the records with this priority.
    var examples: String {
        switch self {
        case .critical: "crashes"
        case .high: "errors, hangs"
        case .normal: "spans, events, metrics"
        case .low: "debug, breadcrumbs"
        }
    }
}

extension FleetResults {
    /// The records that the policy did not collect, which are not losses.
    static let notCollected: [DropReason] = [.sampledOut, .notAdmitted]

    var notCollectedCount: Int { Self.notCollected.reduce(0) { $0 + (ledger.dropped[$1] ?? 0) } }
    /// The collected records.
    var collected: Int { ledger.created - notCollectedCount }
    var lost: Int { ledger.droppedTotal - notCollectedCount }
    /// The reasons for dropped records, the most frequent first.
    var losses: [(reason: DropReason, count: Int)] {
        ledger.dropped.filter { $0.value > 0 && !Self.notCollected.contains($0.key) }
            .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map { ($0.key, $0.value) }
    }

    func bytes(over medium: NetworkPath.Medium) -> Int { traffic.bytes[medium] ?? 0 }
    var bytesTotal: Int { traffic.bytes.values.reduce(0, +) }

    /// The time of all devices in milliseconds, by activity.
    var activityTotals: [Int] {
        bins.reduce(into: Array(repeating: 0, count: Activity.allCases.count)) { sums, bin in
            for (index, time) in bin.activity.enumerated() { sums[index] += time }
        }
    }

    /// All figures of the table in order.
    var figures: [FigureGroup] {
        [recordFigures, delayFigures, networkFigures, modeFigures, lifeFigures, invariantFigures]
    }

    private var recordFigures: FigureGroup {
        var figures = [
            Figure(label: "created", value: NumberFormatting.count(ledger.created), note: "records that the app made"),
            Figure(
                label: "sampled out", value: NumberFormatting.count(ledger.dropped[.sampledOut] ?? 0),
                note: "spans of unsampled traces"),
            Figure(
                label: "not admitted", value: NumberFormatting.count(ledger.dropped[.notAdmitted] ?? 0),
                note: "not collected in the current mode"),
            Figure(label: "collected", value: NumberFormatting.count(collected), note: "recorded by the SDK"),
            Figure(
                label: "delivered", value: NumberFormatting.count(ledger.delivered),
                note: NumberFormatting.percent(ledger.delivered, of: collected) + " of collected"),
            Figure(
                label: "waiting", value: NumberFormatting.count(ledger.pending),
                note:
                    "\(NumberFormatting.count(ledger.inJournal)) in journals, \(NumberFormatting.count(ledger.inQueue)) in queues",
            ),
            Figure(
                label: "lost", value: NumberFormatting.count(lost),
                note: NumberFormatting.percent(lost, of: collected) + " of collected"),
        ]
        if uncounted > 0 {
            figures.insert(
                Figure(
                    label: "not collected, uncounted", value: NumberFormatting.count(uncounted),
                    note: "in addition to those created: the count was lost in a kill"), at: 3)
        }
        figures += losses.map { Figure(label: "  " + $0.reason.rawValue, value: NumberFormatting.count($0.count)) }
        return FigureGroup(title: "Records", figures: figures)
    }

    private var delayFigures: FigureGroup {
        FigureGroup(
            title: "Delay to first arrival: median, 95th, 99th",
            figures: Priority.byUrgency.compactMap { priority in
                guard let delays = delays[priority], let median = delays.quantile(0.5) else { return nil }
                let tail = [0.95, 0.99].compactMap(delays.quantile).map(NumberFormatting.duration).joined(
                    separator: ", ")
                return Figure(
                    label: priority.word, value: NumberFormatting.duration(median) + ", " + tail,
                    note: "\(priority.examples): \(NumberFormatting.count(delays.total))")
            })
    }

    private var networkFigures: FigureGroup {
        let others = bytesTotal - bytes(over: .wifi) - bytes(over: .cellular)
        var figures = [
            Figure(label: "over Wi-Fi", value: NumberFormatting.bytes(bytes(over: .wifi))),
            Figure(label: "over cellular", value: NumberFormatting.bytes(bytes(over: .cellular))),
        ]
        if others > 0 { figures.append(Figure(label: "over other networks", value: NumberFormatting.bytes(others))) }
        figures += [
            Figure(
                label: "requests", value: NumberFormatting.count(traffic.requests),
                note:
                    "\(NumberFormatting.count(traffic.failures)) without a response, \(NumberFormatting.count(traffic.refusals)) rejected",
            ),
            Figure(label: "flushes", value: NumberFormatting.count(flushes)),
            Figure(
                label: "sent again after a kill", value: NumberFormatting.count(duplicates[.kill] ?? 0),
                note: "records; at-least-once delivery"),
            Figure(
                label: "sent again after a lost response",
                value: NumberFormatting.count(duplicates[.lostResponse] ?? 0),
                note: "records; at-least-once delivery"),
        ]
        return FigureGroup(title: "Network", figures: figures)
    }

    private var modeFigures: FigureGroup {
        let totals = activityTotals
        let awake = totals[0...Activity.minimal.rawValue].reduce(0, +)
        let all = totals.reduce(0, +)
        return FigureGroup(
            title: "Time by mode",
            figures: Activity.allCases.map { activity in
                let isMode = activity.rawValue <= Activity.minimal.rawValue
                return Figure(
                    label: activity.word,
                    value: NumberFormatting.percent(totals[activity.rawValue], of: isMode ? awake : all),
                    note: isMode ? "of the running time" : "of all time")
            })
    }

    private var lifeFigures: FigureGroup {
        FigureGroup(
            title: "Lifecycle",
            figures: [
                Figure(label: "app starts", value: NumberFormatting.count(starts)),
                Figure(
                    label: "crashes", value: NumberFormatting.count(ends[.crash] ?? 0),
                    note: "reported at the next start"),
                Figure(
                    label: "kills", value: NumberFormatting.count(ends[.kill] ?? 0),
                    note: "\(NumberFormatting.count(killsInFlight)) during a request"),
                Figure(label: "ended by the user", value: NumberFormatting.count(ends[.quit] ?? 0)),
            ])
    }

    private var invariantFigures: FigureGroup {
        FigureGroup(
            title: "Must be 0",
            figures: [
                Figure(
                    label: "unbalanced ledgers", value: NumberFormatting.count(unbalancedDevices),
                    note:
                        "of \(NumberFormatting.count(devices)), checked \(NumberFormatting.count(balanceChecks)) times",
                ),
                Figure(
                    label: "order violations", value: NumberFormatting.count(orderViolations),
                    note: "a record that arrived after a newer one of its kind and priority"),
                Figure(
                    label: "urgency violations", value: NumberFormatting.count(urgencyViolations),
                    note: "a flush that sent less urgent records of a kind first"),
                Figure(
                    label: "other faults", value: NumberFormatting.count(problems.count),
                    note: "invalid, foreign or unexplained records"),
            ])
    }
}

extension FleetResults.Activity {
    var word: String {
        switch self {
        case .full: "full"
        case .normal: "normal"
        case .reduced: "reduced"
        case .minimal: "minimal"
        case .suspended: "suspended"
        case .notRunning: "not running"
        }
    }
}
