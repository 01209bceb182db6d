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
    }

    package struct Example: Hashable, Sendable {
        package var time: Int64
        package var text: String
        package var service: String?
        package var session: String?
        package var trace: String?
        package var span: String?
    }

    /// The message of a record: its body, or its name if it has none.
    static let message = Expression.coalesce([.field("body"), .field("name")])
}
