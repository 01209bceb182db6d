/// A question about stored telemetry.
///
///     let query = try Query(text: "p99(duration), count by http.route where session.crashed last 24h")
///
/// The text form (`description`), the JSON form (`Codable`) and the URL form (`urlValue`) give an equal value again.
package struct Query: Hashable, Sendable {
    package var dataset: Dataset = .spans
    package var calculations: [Calculation] = [Calculation(.count)]
    package var groups: [Expression] = []
    package var condition: Condition?
    package var having: Having?
    /// The order of the groups. Without terms, the first calculation orders them, largest first.
    package var order: [OrderTerm] = []
    /// The number of groups in the result. The records of all others are one more row, `other`.
    package var limit = Query.defaultLimit
    package var time: TimeRange = .last(nanoseconds: 3_600_000_000_000)
    /// The time of a record that `time`, `granularity` and `comparison` are about.
    package var clock: RecordClock = .event
    package var granularity: Granularity = .automatic
    package var comparison: Comparison?
    /// True if each record counts once, whatever the probability with which it was sampled.
    package var isRaw = false
    /// Names for expressions, usable wherever a field is. Each may use those before it.
    package var derived: [DerivedField] = []

    package static let defaultLimit = 50

    package init() {}

    /// The query for the records themselves: without groups, having, order, steps and comparison.
    ///
    /// - Parameter selection: Made the condition of the only calculation, so that names which the query defines, and
    ///   fields of related records, are known in it.
    package func ofRecords(selecting selection: Condition? = nil) -> Query {
        var query = Query()
        query.dataset = dataset
        query.condition = condition
        query.time = time
        query.clock = clock
        query.isRaw = isRaw
        query.derived = derived
        query.granularity = .total
        if let selection { query.calculations = [Calculation(.ratio, where: selection)] }
        return query
    }
}

package enum Dataset: String, CaseIterable, Codable, Sendable {
    case spans
    case events
    case sessions
    case issues
    case metrics
}

package struct DerivedField: Hashable, Sendable {
    package var name: String
    package var expression: Expression

    package init(name: String, expression: Expression) {
        self.name = name
        self.expression = expression
    }
}

/// The time of the records, half-open: `from <= time < to`.
package enum TimeRange: Hashable, Sendable {
    /// The time until now.
    case last(nanoseconds: Int64)
    /// Nanoseconds since 1970.
    case between(from: Int64, to: Int64)
}

/// The time of a record by which it is in a query's time and in one of its steps.
package enum RecordClock: Hashable, Sendable {
    /// When it happened: the field `time`.
    case event
    /// When the console received it: the field `arrived`.
    case arrival

    var column: String { self == .event ? "time" : FieldNames.arrived }
}

/// The length of the steps of a series.
package enum Granularity: Hashable, Sendable {
    /// At most 90 steps of a round length.
    case automatic
    case fixed(nanoseconds: Int64)
    /// No series.
    case total
}

/// An earlier window of the same length.
package enum Comparison: Hashable, Sendable {
    /// The window just before.
    case previous
    /// The window that lies this much earlier.
    case earlier(nanoseconds: Int64)
}

package struct OrderTerm: Hashable, Sendable {
    package enum Key: Hashable, Sendable {
        case calculation(Calculation)
        case group(Expression)
    }

    package var key: Key
    package var isDescending: Bool

    package init(_ key: Key, isDescending: Bool) {
        self.key = key
        self.isDescending = isDescending
    }
}

/// A number to compute for each group.
package struct Calculation: Hashable, Sendable {
    package var function: Function
    package var operand: Expression?
    /// The condition of a `ratio`.
    package var condition: Condition?

    package init(_ function: Function, of operand: Expression? = nil, where condition: Condition? = nil) {
        self.function = function
        self.operand = operand
        self.condition = condition
    }

    package enum Function: String, CaseIterable, Codable, Sendable {
        /// The number of records.
        case count
        /// The number of distinct values, never re-weighted.
        case countDistinct = "count_distinct"
        /// The sum of the numbers in a field; 0 without any.
        case sum
        case avg
        case min
        case max
        case p50
        case p75
        case p90
        case p95
        case p99
        case p999
        /// The number of records in each log-linear bin of a field's numbers, four bins for each power of two.
        case heatmap
        /// Records for each second, or the sum of a field for each second.
        case rate
        /// The share of the records that fulfil a condition, from 0 to 1.
        case ratio
        /// The mean number of records in progress at the same time, from `time` and `duration`.
        case concurrency

        package var quantile: Double? {
            switch self {
            case .p50: 0.5
            case .p75: 0.75
            case .p90: 0.9
            case .p95: 0.95
            case .p99: 0.99
            case .p999: 0.999
            default: nil
            }
        }

        /// True if the function has an operand; `nil` if it may have one.
        package var takesOperand: Bool? {
            switch self {
            case .count, .ratio, .concurrency: false
            case .rate: nil
            default: true
            }
        }
    }
}

/// A value computed from a record.
package indirect enum Expression: Hashable, Sendable {
    case field(String)
    case literal(Literal)
    /// Missing if an operand is no number, or if the result is not finite, as after a division by zero.
    case arithmetic(Expression, ArithmeticOperator, Expression)
    /// The largest multiple of the size that is not above the number.
    case bucket(Expression, Literal)
    /// The first that is not missing.
    case coalesce([Expression])
    case conditional(Condition, then: Expression, else: Expression)
    /// The first capture of a regular expression in the text of a value, or the whole match if it has no capture.
    case extract(Expression, pattern: String)
}

package enum ArithmeticOperator: String, CaseIterable, Sendable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"

    func apply(_ left: Double, _ right: Double) -> Double {
        switch self {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .divided: left / right
        }
    }
}

package typealias Condition = Logic<Term>
package typealias Having = Logic<HavingTerm>

package indirect enum Logic<Leaf: Hashable & Sendable>: Hashable, Sendable {
    case leaf(Leaf)
    case all([Logic])
    case any([Logic])
    case not(Logic)
}

/// A comparison of a value with literals.
package struct Term: Hashable, Sendable {
    package var subject: Expression
    package var comparison: ComparisonOperator
    /// One literal; several for `in`; none for `exists`.
    package var values: [Literal]

    package init(_ subject: Expression, _ comparison: ComparisonOperator, _ values: [Literal] = []) {
        self.subject = subject
        self.comparison = comparison
        self.values = values
    }
}

package struct HavingTerm: Hashable, Sendable {
    package var calculation: Calculation
    package var comparison: ComparisonOperator
    package var value: Literal

    package init(_ calculation: Calculation, _ comparison: ComparisonOperator, _ value: Literal) {
        self.calculation = calculation
        self.comparison = comparison
        self.value = value
    }
}

package enum ComparisonOperator: String, CaseIterable, Codable, Sendable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case isIn = "in"
    case isNotIn = "not in"
    case contains = "contains"
    case doesNotContain = "not contains"
    case startsWith = "starts-with"
    case doesNotStartWith = "not starts-with"
    case matches = "matches"
    case doesNotMatch = "not matches"
    case exists = "exists"
    case doesNotExist = "not exists"

    /// The operator that this one negates.
    package var negated: ComparisonOperator? {
        switch self {
        case .notEqual: .equal
        case .isNotIn: .isIn
        case .doesNotContain: .contains
        case .doesNotStartWith: .startsWith
        case .doesNotMatch: .matches
        case .doesNotExist: .exists
        default: nil
        }
    }

    package var isOrder: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }
}
