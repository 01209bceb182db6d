package import Foundation
import TelemetryQuery

/// A board as Honeycomb's API takes it: queries with their annotations, the board, and triggers.
///
/// `Docs/Guide/Honeycomb.md` says how to send it. Honeycomb gives each query an id, so the board names them by their
/// position: a panel with the text `queries[0]` in `query_id` shows the first query.
package struct HoneycombBoard: Encodable, Sendable {
    package struct SavedQuery: Encodable, Sendable {
        /// The dataset to create the query in. All of them, because the phone and the backends are different ones.
        var dataset = "__all__"
        package var query: HoneycombQuery
        var annotation: Annotation
    }

    package struct Annotation: Encodable, Sendable {
        package var name: String
        package var description: String
    }

    package private(set) var queries: [SavedQuery] = []
    package private(set) var board: Layout
    package private(set) var triggers: [HoneycombTrigger] = []
    /// Notes on what Honeycomb says in another way, or not at all, with the panel's title.
    package private(set) var notes: [String] = []

    package init(_ board: Board) {
        self.board = Layout(name: board.title, description: board.description ?? "")
        var shelf = Shelf()
        for panel in board.panels {
            let place = shelf.place(width: panel.width)
            do throws(HoneycombGap) {
                guard case .query(let query, let form) = panel.content else {
                    throw HoneycombGap(reason: "Honeycomb has no funnels, flows or objectives on boards.")
                }
                var own: [String] = []
                let translated = try HoneycombQuery(query.query, range: board.time, notes: &own)
                self.board.panels.append(.query(queries.count, form, place))
                queries.append(
                    SavedQuery(
                        query: translated,
                        annotation: Annotation(
                            name: panel.title,
                            description: ([panel.note].compactMap { $0 } + own).joined(separator: " "))))
                notes += own.map { "\(panel.title): \($0)" }
            } catch {
                self.board.panels.append(.text("### \(panel.title)\n\nThis panel is not here. \(error.reason)", place))
                notes.append("\(panel.title): \(error.reason)")
            }
        }
        var fields = HoneycombFields(dataset: .spans)
        for variable in board.variables {
            fields.derived = []
            do throws(HoneycombGap) {
                self.board.presetFilters.append(
                    Layout.PresetFilter(column: try fields.column(variable.field), alias: variable.name))
            } catch {
                notes.append("\(variable.name): \(error.reason)")
            }
        }
        for alert in board.alerts {
            var own: [String] = []
            do throws(HoneycombGap) {
                triggers.append(try HoneycombTrigger(alert, notes: &own))
            } catch {
                own.append(error.reason)
            }
            notes += own.map { "\(alert.name): \($0)" }
        }
    }

    /// The JSON, with sorted keys.
    package func json() throws -> Data { try Self.encoder.encode(self) }

    /// Writes the names of the properties as Honeycomb writes them: `time_range`.
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

/// The body of `POST /1/boards`.
package struct HoneycombLayout: Encodable, Sendable {
    struct PresetFilter: Encodable, Sendable {
        var column: String
        var alias: String
    }

    struct Position: Encodable, Sendable {
        var xCoordinate: Int
        var yCoordinate: Int
        var height: Int
        var width: Int
    }

    struct Panel: Encodable, Sendable {
        var type: String
        var position: Position
        var queryPanel: QueryPanel?
        var textPanel: [String: String]?

        static func query(_ index: Int, _ form: PanelForm, _ position: Position) -> Panel {
            Panel(type: "query", position: position, queryPanel: QueryPanel(index, form))
        }

        static func text(_ content: String, _ position: Position) -> Panel {
            Panel(type: "text", position: position, textPanel: ["content": content])
        }
    }

    struct QueryPanel: Encodable, Sendable {
        struct Chart: Encodable, Sendable {
            var chartIndex = 0
            var chartType: String
        }

        var queryID: String
        var queryAnnotationID: String
        var queryStyle: String
        var visualizationSettings: [String: [Chart]]?

        init(_ index: Int, _ form: PanelForm) {
            queryID = "queries[\(index)]"
            queryAnnotationID = "queries[\(index)]"
            queryStyle = form == .table ? "table" : "graph"
            let chart: String? =
                switch form {
                case .line: "line"
                case .bar: "cbar"
                case .number: "stat"
                case .heatmap, .table: nil
                }
            visualizationSettings = chart.map { ["charts": [Chart(chartType: $0)]] }
        }
    }

    var name: String
    var description: String
    let type = "flexible"
    let layoutGeneration = "manual"
    var panels: [Panel] = []
    var presetFilters: [PresetFilter] = []
}

extension HoneycombBoard {
    package typealias Layout = HoneycombLayout
}

/// Places panels in rows of twelve columns.
private struct Shelf {
    private static let height = 6
    private var x = 0
    private var y = 0

    mutating func place(width: Int) -> HoneycombLayout.Position {
        if x + width > BoardLimits.columns {
            x = 0
            y += Self.height
        }
        defer { x += width }
        return HoneycombLayout.Position(xCoordinate: x, yCoordinate: y, height: Self.height, width: width)
    }
}

/// An alert as the body of `POST /1/triggers/__all__`.
package struct HoneycombTrigger: Encodable, Sendable {
    struct Threshold: Encodable, Sendable {
        var op: String
        var value: Double
        var exceededLimit: Int
    }

    package let name: String
    package let description: String
    let threshold: Threshold
    /// Seconds between two evaluations.
    let frequency: Int
    let alertType = "on_change"
    package let query: HoneycombQuery

    init(_ rule: AlertRule, notes: inout [String]) throws(HoneycombGap) {
        var query = try HoneycombQuery(rule.question, range: .last(nanoseconds: rule.window), notes: &notes)
        // A trigger's query has no orders and no limit of its own.
        query.orders = []
        query.limit = nil
        guard query.calculations.count == 1, let calculation = query.calculations.first else {
            throw HoneycombGap(reason: "A trigger has one calculation, and this alert's having needs another one.")
        }
        guard (60...86_400).contains(query.timeRange) else {
            throw HoneycombGap(reason: "A trigger covers one minute to one day.")
        }
        name = rule.name
        description = rule.note ?? ""
        let isDuration = calculation.column == "duration_ms" && calculation.op != "COUNT_DISTINCT"
        let scale = isDuration ? HoneycombFields.nanosecondsPerMillisecond : 1
        switch rule.threshold {
        case .above(let value):
            threshold = Threshold(op: ">", value: value / scale, exceededLimit: min(rule.times, 5))
        case .below(let value):
            threshold = Threshold(op: "<", value: value / scale, exceededLimit: min(rule.times, 5))
        }
        if rule.times > 5 { notes.append("Honeycomb counts at most 5 evaluations in a row.") }
        // Whole minutes, and at least a quarter of the time that the query covers.
        let seconds = max(Int(rule.interval / 1_000_000_000), (query.timeRange + 3) / 4)
        frequency = min(86_400, (seconds + 59) / 60 * 60)
        self.query = query
    }
}
