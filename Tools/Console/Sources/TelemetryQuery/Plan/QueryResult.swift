/// The answer to a query.
package struct QueryResult: Hashable, Sendable {
    package var window: TimeWindow
    package var comparisonWindow: TimeWindow?
    /// The calculations of the query, in its order.
    package var calculations: [Calculation]
    package var groups: [Expression]
    package var rows: [ResultRow]
    /// The records that fulfil the condition in the window, each counted once.
    package var matchedRecords: Int
    /// Those in the comparison window; `nil` without one.
    package var comparedRecords: Int?

    package init(
        window: TimeWindow, comparisonWindow: TimeWindow?, calculations: [Calculation], groups: [Expression],
        rows: [ResultRow], matchedRecords: Int, comparedRecords: Int?,
    ) {
        self.window = window
        self.comparisonWindow = comparisonWindow
        self.calculations = calculations
        self.groups = groups
        self.rows = rows
        self.matchedRecords = matchedRecords
        self.comparedRecords = comparedRecords
    }
}

/// One group, or all that are beyond the limit.
package struct ResultRow: Hashable, Sendable {
    package var key: [QueryValue]
    /// True if the row is the rest of the groups. It has no key.
    package var isOther: Bool
    package var values: ResultValues
    package var comparison: ResultValues?

    package init(key: [QueryValue], isOther: Bool, values: ResultValues, comparison: ResultValues?) {
        self.key = key
        self.isOther = isOther
        self.values = values
        self.comparison = comparison
    }
}

package struct ResultValues: Hashable, Sendable {
    /// One value for each calculation.
    package var totals: [ResultValue]
    /// The same for each step of the window.
    package var series: [[ResultValue]]

    package init(totals: [ResultValue], series: [[ResultValue]]) {
        self.totals = totals
        self.series = series
    }
}

package enum ResultValue: Hashable, Sendable {
    /// There was nothing to compute from.
    case missing
    case number(Double)
    case heatmap([HeatmapBin])

    package var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// NaN, as the sum of opposite infinities, is missing.
    package init(_ number: Double?) {
        self = number.flatMap { $0.isNaN ? nil : .number($0) } ?? .missing
    }
}

/// Numbers from `low` up to, but not including, `high`; for negative bins the other way round. The bin of 0 is 0 only.
package struct HeatmapBin: Hashable, Sendable {
    package var low: Double
    package var high: Double
    package var count: Double

    package init(low: Double, high: Double, count: Double) {
        self.low = low
        self.high = high
        self.count = count
    }
}
