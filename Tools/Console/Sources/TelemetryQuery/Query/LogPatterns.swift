/// Log records folded by their patterns, the most frequent first.
package struct LogPatterns: Hashable, Sendable {
    /// The patterns in a result.
    package static let limit = 200
    /// The records of a pattern that are kept as examples.
    package static let examples = 10
    /// The distinct patterns that are counted.
    package static let distinct = 50_000

    package var window: TimeWindow
    package var patterns: [Pattern]
    package var matchedRecords: Int
    /// The number of patterns, those beyond the limit included.
    package var patternCount: Int

    package init(window: TimeWindow, patterns: [Pattern], matchedRecords: Int, patternCount: Int) {
        self.window = window
        self.patterns = patterns
        self.matchedRecords = matchedRecords
        self.patternCount = patternCount
    }

    package struct Pattern: Hashable, Sendable {
        package var text: String
        package var count: Int
        /// The highest severity; `nil` if no record has one.
        package var severity: Int64?
        /// The services that send it, by name.
        package var services: [String]
        /// Nanoseconds since 1970.
        package var first: Int64
        package var last: Int64
        /// The newest first.
        package var examples: [Example]

        package init(
            text: String, count: Int, severity: Int64?, services: [String], first: Int64, last: Int64,
            examples: [Example],
        ) {
            self.text = text
            self.count = count
            self.severity = severity
            self.services = services
            self.first = first
            self.last = last
            self.examples = examples
        }
    }

    package struct Example: Hashable, Sendable {
        package var time: Int64
        package var text: String
        package var service: String?
        package var session: String?
        package var trace: String?
        package var span: String?

        package init(time: Int64, text: String, service: String?, session: String?, trace: String?, span: String?) {
            self.time = time
            self.text = text
            self.service = service
            self.session = session
            self.trace = trace
            self.span = span
        }
    }

    /// The message of a record: its body, or its name if it has none.
    static let message = Expression.coalesce([.field("body"), .field("name")])
}
