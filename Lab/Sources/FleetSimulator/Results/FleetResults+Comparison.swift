extension FleetResults {
    /// Returns the records and the traffic of two simulations as lines of text, side by side.
    ///
    /// - Parameters:
    ///   - other: The results of the same devices under other circumstances.
    ///   - titles: The titles of the columns, these results first.
    public func comparison(with other: FleetResults, titles: (String, String)) -> String {
        let (mine, others) = (comparedFigures, other.comparedFigures)
        let labels = mine.map(\.label) + others.map(\.label).filter { label in !mine.contains { $0.label == label } }
        var rows = [["", titles.0, titles.1]]
        for label in labels {
            let values = [mine, others].map { figures in figures.first { $0.label == label }?.value ?? "-" }
            rows.append([label] + values)
        }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            let values = [1, 2].map { Self.space(widths[$0] - row[$0].count) + row[$0] }
            return row[0] + Self.space(widths[0] - row[0].count) + "   " + values.joined(separator: "   ")
        }
        return lines.joined(separator: "\n")
    }

    private var comparedFigures: [Figure] {
        figures.filter { ["Records", "Network"].contains($0.title) }.flatMap(\.figures)
    }

    private static func space(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}
