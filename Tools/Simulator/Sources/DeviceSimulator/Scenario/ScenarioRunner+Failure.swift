import DeviceLink
import Foundation
import ViewTree

// The message of a step that fails.
extension ScenarioRunner {
    /// - Parameters:
    ///   - reason: Why the step fails; `nil` if its time is over.
    ///   - name: The name of a control that was not found.
    func failure(
        _ step: Scenario.Step, _ what: String, because reason: String? = nil, nearTo name: String? = nil,
    ) async -> Failure {
        let snapshot = await snapshot()
        var lines = [
            "\(reason.map { "\($0):" } ?? step.timedOut) \(what)", "The app is \(snapshot.phase.description).",
        ]
        if let end = snapshot.end { lines.append(end.text) }
        let names = name.map { NearestNames.to($0, among: snapshot.screen?.controlNames ?? []) } ?? []
        if !names.isEmpty { lines.append("Did you mean \(names.map { "\"\($0)\"" }.joined(separator: ", "))?") }
        if let status = snapshot.status { lines.append("SDK status: \(status.summary)") }
        if let screen = snapshot.screen { lines.append("The screen shows:\n\(screen.root.summary)") }
        return Failure(line: step.line, message: lines.joined(separator: "\n"))
    }
}

/// Finds the names on a screen that are like one that is not there.
enum NearestNames {
    /// Returns up to three names that contain `name` or are part of it, or that differ in a third of its letters.
    static func to(_ name: String, among candidates: [String]) -> [String] {
        let word = Array(name.lowercased())
        let ranked = candidates.enumerated().compactMap { index, candidate -> (Int, Int, String)? in
            let other = Array(candidate.lowercased())
            let (small, large) = word.count < other.count ? (word, other) : (other, word)
            let isPart = small.count > 2 && String(large).contains(String(small))
            let distance = Self.distance(word, other)
            return isPart || distance <= max(1, small.count / 3) ? (distance, index, candidate) : nil
        }
        return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map(\.2)
    }

    /// The number of letters to insert, remove or replace.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for other in right.indices {
                let next = min(row[other + 1] + 1, row[other] + 1, diagonal + (right[other] == letter ? 0 : 1))
                diagonal = row[other + 1]
                row[other + 1] = next
            }
        }
        return row[right.count]
    }
}

extension RenderedNode {
    /// The visible texts and controls, one line each, with those inside a control below it.
    fileprivate var summary: String { lines(0).joined(separator: "\n") }

    private func lines(_ depth: Int) -> [String] {
        guard !isCovered else { return [] }
        let identifier = properties["identifier"]?.string
        let words = ["title", "text", "label", "placeholder", "value", "date"].compactMap { properties[$0]?.string }
        let isShown = identifier != nil || !words.isEmpty || [.tabBar, .swipeActions, .sheet].contains(kind)
        guard isShown else { return children.flatMap { $0.lines(depth) } }
        let parts = [kind.rawValue, identifier.map { "(\($0))" }, words.isEmpty ? nil : words.joined(separator: ", ")]
        let line = String(repeating: "  ", count: depth + 1) + parts.compactMap(\.self).joined(separator: " ")
        return [line] + children.flatMap { $0.lines(depth + 1) }
    }
}

extension AppStatus {
    fileprivate var summary: String {
        let ledger = ledger
        let dropped = ledger.dropped.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return """
            \(mode) mode, upload \(upload); \(ledger.created) records created, \(ledger.delivered) delivered, \
            \(ledger.inJournal) in the journal, \(ledger.inQueue) in the queue, \(ledger.notSent) not sent, dropped: \
            \(dropped.isEmpty ? "none" : dropped.joined(separator: ", ")); \(blockers.joined(separator: "; "))
            """
    }
}
