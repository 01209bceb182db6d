import DeviceLink

/// The fate of the records in each hour of virtual time, as a table for a terminal.
package struct HourlyReport: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        /// The scenario's effects on the phone and the collector in this hour.
        package var notes: [String] = []
        package var recorded = 0
        package var delivered = 0
        package var waiting = 0
        package var dropped: [String: Int] = [:]
        package var requests = 0
    }

    package private(set) var rows: [Row] = []
    private var current = Row()
    private var ledger = AppStatus.Ledger()
    private var requests = 0

    package init() {}

    mutating func note(_ text: String) {
        if current.notes.last != text { current.notes.append(text) }
    }

    /// Ends the hour with the counts of now.
    mutating func endHour(_ ledger: AppStatus.Ledger, requests: Int) {
        current.recorded = ledger.created - self.ledger.created
        current.delivered = ledger.delivered - self.ledger.delivered
        current.waiting = ledger.inJournal + ledger.inQueue
        current.dropped = ledger.dropped.merging(self.ledger.dropped, uniquingKeysWith: -).filter { $0.value > 0 }
        current.requests = requests - self.requests
        rows.append(current)
        current = Row()
        self.ledger = ledger
        self.requests = requests
    }

    package var isEmpty: Bool { rows.isEmpty }
}

extension HourlyReport: CustomStringConvertible {
    private static let titles = ["hour", "recorded", "delivered", "waiting", "requests", "dropped", "what happened"]
    /// The columns from here on are text, which is aligned to the left.
    private static let firstText = 5
    private static let noteWidth = 60

    package var description: String {
        let lines = [Self.titles] + rows.enumerated().flatMap { Self.lines($1, hour: $0 + 1) }
        let widths = Self.titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            let cells = line.enumerated().map { column, text in
                let space = String(repeating: " ", count: widths[column] - text.count)
                return column < Self.firstText ? space + text : text + space
            }
            let text = cells.joined(separator: "  ")
            return String(text[..<(text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.endIndex)])
        }.joined(separator: "\n")
    }

    /// The row's line, and more lines if there is much to say about it.
    private static func lines(_ row: Row, hour: Int) -> [[String]] {
        var notes = [""]
        for note in row.notes {
            let last = notes[notes.count - 1]
            if last.isEmpty {
                notes[notes.count - 1] = note
            } else if last.count + note.count + 2 <= noteWidth {
                notes[notes.count - 1] = "\(last), \(note)"
            } else {
                notes[notes.count - 1] += ","
                notes.append(note)
            }
        }
        let dropped = row.dropped.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        let counts = [hour, row.recorded, row.delivered, row.waiting, row.requests].map(String.init)
        return notes.enumerated().map { index, note in
            index == 0
                ? counts + [dropped.isEmpty ? "0" : dropped, note]
                : Array(repeating: "", count: titles.count - 1) + [note]
        }
    }
}
