package import TelemetryQuery

/// A page of panels that answer queries, and alerts.
///
///     let board = try Board(yaml: text, file: "checkout.yaml")
///
/// `Docs/Guide/Boards.md` describes the file. `yaml` and `json()` give an equal board again.
package struct Board: Hashable, Sendable {
    package var title: String
    package var description: String?
    /// The time range of the panels until the reader chooses another one. The default is the last 24 hours.
    package var time: TimeRange = .last(nanoseconds: 86_400_000_000_000)
    package var variables: [BoardVariable] = []
    package var panels: [BoardPanel] = []
    package var alerts: [AlertRule] = []

    package init(title: String) {
        self.title = title
    }
}

/// A field by which the reader narrows all panels of a board.
package struct BoardVariable: Hashable, Sendable {
    package var name: String
    package var field: String
    /// The value that is chosen at first; `nil` for all.
    package var value: String?
}

package struct BoardPanel: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case query(BoardQuery, as: PanelForm)
        /// Without a time range.
        case funnel(FunnelQuery)
        case flow(Flow)
        /// With a time of its own.
        case objective(Objective)
    }

    package var title: String
    package var note: String?
    package var content: Content
    /// The width in columns of 12. The default is 6.
    package var width = 6
}

package enum PanelForm: String, CaseIterable, Sendable {
    case line
    case bar
    case heatmap
    case number
    case table
}

/// A query without a time range, as it was written.
package struct BoardQuery: Hashable, Sendable {
    package let text: String
    /// The query. Its time range has no meaning.
    package let query: Query

    /// - Throws: `QueryError` if the text is no query, or names a time range.
    package init(_ text: String) throws(QueryError) {
        self.text = text
        query = try Query(text: text)
        // A clause may stand once, so a text that takes no further time range has one.
        guard (try? Query(text: text + " last 1h")) != nil else {
            throw QueryError("Expected no time range, because the board has one. Remove last, or from and to.")
        }
    }
}

/// The number of times that one value of a field follows another one.
package struct Flow: Hashable, Sendable {
    package var field: String
    /// The thing that is followed, such as a session.
    package var by: Expression
}

/// The limits of a board.
package enum BoardLimits {
    package static let bytes = 65_536
    package static let panels = 40
    package static let variables = 5
    package static let alerts = 20
    package static let objectives = 5
    package static let title = 120
    package static let note = 1_000
    package static let columns = 12

    /// Returns true if a board can have this name: its file is `<id>.yaml`.
    package static func isID(_ id: String) -> Bool {
        let bytes = Array(id.utf8)
        guard (1...64).contains(bytes.count), let first = bytes.first, first != 0x2D else { return false }
        return bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
