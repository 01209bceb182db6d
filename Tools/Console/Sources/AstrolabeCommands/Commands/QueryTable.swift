import Foundation
import TelemetryBoards

/// The console's answer to a query as rows of text.
struct QueryTable {
    private(set) var warnings: [String] = []
    /// A sentence about what has not arrived of the query's time; `nil` if nothing is missing or nothing is known.
    private(set) var completeness: String?
    /// True if the answer leaves out records of its time.
    private(set) var isIncomplete = false
    private var columns: [Answer.Column] = []
    private var rows: [[Cell]] = []
    /// The groups without the rest of them.
    private(set) var alertRows: [AlertRow] = []
    /// The first calculation of each group that has a value.
    var readings: [AlertReading] {
        alertRows.compactMap { row in
            (row.values.first ?? nil).map { AlertReading(value: $0, group: row.group) }
        }
    }

    init(json: Data) throws {
        let answer = try JSONDecoder().decode(Answer.self, from: json)
        warnings = answer.warnings
        completeness = answer.completeness?.total.text
        isIncomplete = answer.incomplete == true
        columns = answer.columns
        let groups = answer.columns.count { $0.isGroup }
        rows = answer.rows.map { row in
            let key =
                row.other == true
                ? (0..<groups).map { Cell.text($0 == 0 ? "(other)" : "") } : row.key
            return key + row.values
        }
        alertRows = answer.rows.filter { $0.other != true }.map { row in
            AlertRow(
                group: row.key.map { $0.shown(unit: nil) }.joined(separator: ", "), firstKey: row.key.first?.number,
                values: row.values.map(\.number))
        }
    }

    /// Returns lines with aligned columns. A column of numbers is aligned at its end.
    static func aligned(_ lines: [[String]], isNumber: [Bool]) -> String {
        let widths = isNumber.indices.map { index in lines.map { $0[index].count }.max() ?? 0 }
        return lines.map { line in
            zip(line, widths).enumerated().map { index, cell in
                let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
                return isNumber[index] ? padding + cell.0 : cell.0 + padding
            }
            .joined(separator: "  ").trimmedAtEnd
        }
        .joined(separator: "\n")
    }

    /// The table with aligned columns. Durations are in milliseconds.
    var text: String {
        let lines = [columns.map(\.title)] + rows.map { zip($0, columns).map { $0.shown(unit: $1.unit) } }
        return Self.aligned(lines, isNumber: columns.map { !$0.isGroup })
    }

    /// The rows as in RFC 4180, with numbers as the console sent them. A text that a spreadsheet would take for a
    /// formula gets an apostrophe before it.
    var csv: String {
        ([columns.map(\.name)] + rows.map { $0.map(\.exact) }).map { line in
            line.map { cell in
                let isFormula = cell.first.map { "=+-@\t\r".contains($0) } == true && Double(cell) == nil
                let cell = isFormula ? "'" + cell : cell
                return cell.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline })
                    ? "\"" + cell.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : cell
            }
            .joined(separator: ",")
        }
        .joined(separator: "\n")
    }

    /// Replaces control characters, which a terminal would obey, by spaces.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}

private struct Answer: Decodable {
    struct Column: Decodable {
        let name: String
        let isGroup: Bool
        let unit: String?

        var title: String { QueryTable.printable(unit == "ns" ? "\(name) [ms]" : name) }
    }

    struct Row: Decodable {
        let other: Bool?
        let key: [Cell]
        let values: [Cell]
    }

    struct Completeness: Decodable {
        struct Total: Decodable {
            let text: String?
        }

        let total: Total
    }

    let columns: [Column]
    let rows: [Row]
    let warnings: [String]
    let incomplete: Bool?
    let completeness: Completeness?
}

private enum Cell: Decodable {
    case missing
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    /// A heatmap has no cell of its own.
    case bins(Int)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .missing
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([String: String].self), let text = value.values.first {
            self = .text(text)
        } else {
            self = .bins(try container.decode([Bin].self).count)
        }
    }

    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    var exact: String {
        switch self {
        case .missing: ""
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value): "\(value)"
        case .text(let value): value
        case .bins(let count): "\(count) bins"
        }
    }

    func shown(unit: String?) -> String {
        switch self {
        case .missing: "-"
        case .integer(let value) where unit == "ns": Self.rounded(Double(value) / 1e6)
        case .number(let value): Self.rounded(unit == "ns" ? value / 1e6 : value)
        case .text(let value): QueryTable.printable(value)
        case .bool, .integer, .bins: exact
        }
    }

    private static func rounded(_ number: Double) -> String {
        String(format: "%.3f", number)
    }

    struct Bin: Decodable {
        let low: Double
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
