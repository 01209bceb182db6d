/// A query that cannot be read or run.
package struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Place: Hashable, Sendable {
        /// The column of a text, from 1, and the number of characters at fault.
        case column(Int, length: Int)
        /// A path in a JSON body, such as `where.all[1].operator`.
        case path(String)
        /// The query as a whole.
        case query
    }

    package let place: Place
    /// The problem, the expected input, and the remedy.
    package let message: String
    /// Texts that may stand at the place instead, the likeliest first.
    package let suggestions: [String]
    /// True if the query is right, but the answer would leave out records or values.
    package let isIncomplete: Bool

    package init(
        _ message: String, at place: Place = .query, suggestions: [String] = [], isIncomplete: Bool = false,
    ) {
        self.message = message
        self.place = place
        self.suggestions = suggestions
        self.isIncomplete = isIncomplete
    }

    package var description: String {
        let hint = suggestions.first.map { " Did you mean \($0)?" } ?? ""
        return switch place {
        case .column(let column, _): "Column \(column): \(message)\(hint)"
        case .path(let path): "\(path): \(message)\(hint)"
        case .query: message + hint
        }
    }
}

/// The limits of a query. No text can make the parser or the engine take more.
package enum QueryLimits {
    package static let characters = 16_384
    package static let depth = 64
    /// Conditions, operands and functions together.
    package static let nodes = 1_000
    package static let calculations = 20
    package static let groups = 8
    package static let listedValues = 1_000
    package static let resultGroups = 1_000
    package static let pattern = 500
    package static let seriesPoints = 2_000
    /// Ten years in nanoseconds.
    package static let timeRange: Int64 = 315_576_000_000_000_000
}

/// Finds the nearest of the expected words.
enum Spelling {
    /// Returns up to three candidates that differ from `word` in at most two letters, or that begin with it.
    static func suggestions(for word: String, among candidates: [String]) -> [String] {
        let word = word.lowercased()
        guard word.count <= 64 else { return [] }
        let ranked = candidates.compactMap { candidate -> (distance: Int, candidate: String)? in
            let other = candidate.lowercased()
            if !word.isEmpty, other.hasPrefix(word) { return (1, candidate) }
            let distance = distance(Array(word), Array(other))
            return distance <= (word.count < 4 ? 1 : 2) ? (distance, candidate) : nil
        }
        return ranked.sorted { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }.prefix(3).map(\.candidate)
    }

    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        if abs(left.count - right.count) > 2 { return 3 }
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for other in right.indices {
                let next = min(row[other + 1] + 1, row[other] + 1, diagonal + (right[other] == character ? 0 : 1))
                diagonal = row[other + 1]
                row[other + 1] = next
            }
        }
        return row[right.count]
    }
}
