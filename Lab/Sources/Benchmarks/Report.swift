import Foundation

/// A row of the table: a figure, its target, and the figure of an alternative in the same run.
struct Row {
    let name: String
    let figure: String
    let target: String
    /// `nil` if there is no target.
    let isMet: Bool?
    let alternative: String
}

extension Row {
    /// A row for a section that failed.
    init(failure: any Error, of section: String) {
        let reason = "\(failure)".split(whereSeparator: \.isNewline).joined(separator: " ")
        self.init(
            name: section, figure: "failed", target: "", isMet: false,
            alternative: String(reason.replacing("|", with: "/").prefix(600)))
    }
}

/// Prints the table in Markdown, so that it can be pasted into the documentation.
enum Report {
    static func print(_ rows: [Row]) {
        print(
            table: [["benchmark", "measured", "target", "met", "alternative, in the same run"]]
                + rows.map { row in
                    [row.name, row.figure, row.target, row.isMet.map { $0 ? "yes" : "no" } ?? "", row.alternative]
                })
    }

    /// Prints rows of cells, the first of which are the titles.
    static func print(table lines: [[String]]) {
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        for (index, line) in lines.enumerated() {
            let cells = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            Swift.print("| " + cells.joined(separator: " | ") + " |")
            if index == 0 {
                Swift.print("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|")
            }
        }
    }

    /// Prints progress to standard error, so that standard output contains only the table.
    static func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    static func ns(_ value: Double) -> String {
        value < 10
            ? String(format: "%.1f ns", value)
            : (value < 10_000 ? String(format: "%.0f ns", value) : String(format: "%.1f us", value / 1_000))
    }

    /// - Parameter value: In nanoseconds.
    static func ms(_ value: Double) -> String { String(format: "%.1f ms", value / 1e6) }

    /// - Parameter rate: Bytes per nanosecond.
    static func gigabytes(_ rate: Double) -> String {
        "\((rate * 100).rounded() / 100) GB/s"
    }

    static func times(_ value: Double) -> String {
        value < 10 ? String(format: "%.1f times", value) : String(format: "%.0f times", value)
    }

    static func ratio(_ value: Double) -> String { String(format: "%.2f", value) }

    static func count(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(format: "%.1f", value)
    }
}
