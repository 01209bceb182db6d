// The parts of a query that are written alone: in a board, an alert or a funnel.

extension TimeRange {
    /// The clause: `last 24h`, or `from … to …`.
    package var text: String {
        switch self {
        case .last(let nanoseconds): "last \(QueryText.text(ofDuration: nanoseconds))"
        case .between(let from, let to): "from \(Timestamp.text(from)) to \(Timestamp.text(to))"
        }
    }

    /// Reads a clause such as `last 24h`.
    package init(text: String) throws(QueryError) {
        var parser = QueryParser(tokens: try QueryLexer.tokens(of: text))
        self = try parser.timeRange()
        try parser.expectEnd()
    }

    /// Returns the nanoseconds of a duration such as `90s`.
    package static func nanoseconds(ofDuration text: String) throws(QueryError) -> Int64 {
        var parser = QueryParser(tokens: try QueryLexer.tokens(of: text))
        let nanoseconds = try parser.duration(atMost: QueryLimits.timeRange)
        try parser.expectEnd()
        return nanoseconds
    }

    /// Returns the shortest text of a duration, such as `90s`.
    package static func text(ofDuration nanoseconds: Int64) -> String { QueryText.text(ofDuration: nanoseconds) }
}

extension Logic where Leaf == Term {
    /// The text form, such as `status = "error" and duration > 1s`.
    package var text: String { text { $0.description } }
}
