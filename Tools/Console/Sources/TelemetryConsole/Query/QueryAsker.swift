/// The viewer who asks a query, and its class.
struct QueryAsker: Sendable, Hashable {
    /// The id of the viewer's key, or the address of a viewer without one. The console itself is a viewer too.
    var viewer: String
    var kind = QueryClass.interactive

    /// The asker of all queries of the current task. The default is the console itself, for alerts.
    @TaskLocal static var current = QueryAsker(viewer: "console", kind: .board)
}

/// The class of a query, which decides its share of the processors while queries of several classes run.
enum QueryClass: String, Sendable, CaseIterable {
    /// Someone waits for the answer.
    case interactive
    /// The panel of a board, or an alert.
    case board
    /// A program that reads much, such as a script.
    case export

    var weight: Double {
        switch self {
        case .interactive: 4
        case .board: 2
        case .export: 1
        }
    }
}
