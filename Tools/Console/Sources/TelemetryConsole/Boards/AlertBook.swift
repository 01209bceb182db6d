import TelemetryBoards

/// The states of alerts and what became of them, for the next start of the console.
struct AlertBook: StateContent {
    private struct Entry: Codable, Hashable {
        var alert: AlertName
        /// The rule in words. Another rule of the same name has a state of its own.
        var rule: String
        var state: AlertState
        var care: AlertCare
    }

    static let currentVersion = 1

    private(set) var version = Self.currentVersion
    private var entries: [Entry] = []

    init() {}

    /// - Parameter others: Those of boards that have not been readable since the start.
    init(_ statuses: [AlertMonitor.Status], _ others: AlertBook) {
        entries = statuses.map { Entry(alert: $0.id, rule: $0.rule.identity, state: $0.state, care: $0.care) }
        let known = Set(statuses.map(\.id))
        entries += others.entries.filter { !known.contains($0.alert) }
    }

    /// Returns the state of an alert that has the same rule as then.
    func state(of rule: AlertRule, named alert: AlertName) -> AlertState? {
        entries.first { $0.alert == alert && $0.rule == rule.identity }?.state
    }

    /// Returns what became of an alert, whatever its rule was.
    func care(of alert: AlertName) -> AlertCare? { entries.first { $0.alert == alert }?.care }
}

extension AlertRule {
    /// All that its state depends on, in words.
    fileprivate var identity: String {
        let hook = webhook?.description ?? ""
        let words = "\(presentQuestion), \(threshold), \(window), \(interval), \(times), \(hook)"
        return words + (confirmation.map { ", \($0)" } ?? "")
    }
}
