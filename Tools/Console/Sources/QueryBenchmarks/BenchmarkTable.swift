import Foundation

/// Figures of this engine beside those of others, as Markdown.
struct BenchmarkTable {
    private var rows: [[String]]

    init(title: String) {
        rows = [[title, "measured", "target", "DuckDB", "ClickHouse", "the faster takes"]]
    }

    /// - Parameters:
    ///   - milliseconds: The time of this engine.
    ///   - others: The times of DuckDB and ClickHouse in milliseconds.
    mutating func add(_ name: String, _ milliseconds: Double, target: String, others: [Double]? = nil) {
        let ratio = others?.min().map { String(format: "%.1f times as long", $0 / milliseconds) } ?? ""
        let times = others.map { $0.map(Self.text) } ?? ["", ""]
        rows.append([name, Self.text(milliseconds), target] + times + [ratio])
    }

    private static func text(_ milliseconds: Double) -> String {
        String(format: milliseconds < 10 ? "%.1f ms" : "%.0f ms", milliseconds)
    }

    var text: String {
        var lines = rows.map { "| \($0.joined(separator: " | ")) |" }
        lines.insert("|" + String(repeating: "---|", count: rows[0].count), at: 1)
        return lines.joined(separator: "\n")
    }
}
