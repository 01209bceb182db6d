/// A query in Honeycomb's query specification: <https://docs.honeycomb.io/reference/query-specification/>.
package struct HoneycombQuery: Encodable, Hashable, Sendable {
    package struct Calculation: Encodable, Hashable, Sendable {
        var op: String
        var column: String?
    }

    package struct Filter: Encodable, Hashable, Sendable {
        var column: String
        var op: String
        var value: HoneycombValue?
    }

    package struct Order: Encodable, Hashable, Sendable {
        var op: String?
        var column: String?
        var order: String
    }

    package struct Having: Encodable, Hashable, Sendable {
        var calculateOp: String
        var column: String?
        var op: String
        var value: Double
    }

    package struct CalculatedField: Encodable, Hashable, Sendable {
        var name: String
        var expression: String
    }

    package var calculations: [Calculation] = []
    package var filters: [Filter] = []
    package var filterCombination = "AND"
    package var breakdowns: [String] = []
    package var orders: [Order] = []
    package var havings: [Having] = []
    package var calculatedFields: [CalculatedField] = []
    package var limit: Int?
    /// Seconds until now.
    package var timeRange: Int
    /// Seconds of a step.
    package var granularity: Int?
    package var compareTimeOffsetSeconds: Int?
    /// True if sampled events count once.
    package var usageMode: Bool?
}

package enum HoneycombValue: Encodable, Hashable, Sendable {
    case number(Double)
    case text(String)
    case bool(Bool)
    case list([HoneycombValue])

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let value):
            if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .text(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        }
    }
}

/// A part of a query that Honeycomb cannot say.
struct HoneycombGap: Error, Hashable {
    let reason: String
}
