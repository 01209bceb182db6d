import AstrolabeTelemetryModel

/// A query for metrics, by name.
package struct MetricQuery: Sendable, Hashable {
    /// Only series with this `session.id`; `nil` for all.
    package var session: String?
    /// The `next` value of the previous page.
    package var cursor: String?
    /// The page size, 1 to 1,000 metrics.
    package var limit = 1_000
    /// The maximum number of series per metric, 1 to 200. The most recently changed are returned.
    package var seriesLimit = 12
    /// The maximum number of points per series, 1 to 1,000. The latest are returned.
    package var pointLimit = 60

    package init(session: String? = nil) {
        self.session = session
    }
}

/// A position in the list of metrics, written as a JSON array.
package struct MetricCursor: Sendable, Hashable {
    package let name: String
    package let unit: String
    package let kind: Int64

    package init(name: String, unit: String, kind: Int64) {
        self.name = name
        self.unit = unit
        self.kind = kind
    }

    /// Parses a cursor; `nil` for no text or invalid text, so that the list starts at its beginning.
    package init?(_ text: String?) {
        let parts = text.flatMap { JSONText.value(in: $0) }?.elements ?? []
        guard parts.count == 3, let name = parts[0].stringValue, let unit = parts[1].stringValue,
            let kind = parts[2].intValue
        else { return nil }
        self.init(name: name, unit: unit, kind: kind)
    }

    package var text: String {
        var text = JSONText()
        text.append(.array([.string(name), .string(unit), .int(kind)]))
        return text.string
    }
}
