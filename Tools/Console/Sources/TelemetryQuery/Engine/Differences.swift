/// The attributes that set a selection of records apart from the rest: "What is different here?"
package struct DifferenceResult: Hashable, Sendable {
    /// The records in the selection and outside it, re-weighted unless the query is raw.
    package var selected: Double
    package var rest: Double
    /// The effective sizes of both sides: as many records of equal weight tell as much about a share (Kish 1965).
    ///
    /// They are `(Σw)² / Σw²`, which is the number of records if all count the same.
    package var selectedSize: Double
    package var restSize: Double
    /// The attributes by score, the largest first. Those that differ by their presence come after the others.
    package var attributes: [AttributeDifference]
    /// Attributes with too many distinct texts, such as ids.
    package var skipped: [String]

    package init(
        selected: Double, rest: Double, selectedSize: Double, restSize: Double, attributes: [AttributeDifference],
        skipped: [String],
    ) {
        self.selected = selected
        self.rest = rest
        self.selectedSize = selectedSize
        self.restSize = restSize
        self.attributes = attributes
        self.skipped = skipped
    }
}

package struct AttributeDifference: Hashable, Sendable {
    package let field: String
    /// The largest difference between the shares of one value, from 0 to 1.
    package let score: Double
    /// True if the selection differs by whether its records have the attribute, and not by a value.
    ///
    /// Either only one side has the attribute, or no value differs as much as its absence. An error has a type, and a
    /// success has none: that is known without a comparison.
    package let isPresence: Bool
    /// The values with the largest differences.
    package let values: [ValueShare]
    /// The number of values that were compared.
    package let valueCount: Int

    package init(field: String, score: Double, isPresence: Bool, values: [ValueShare], valueCount: Int) {
        self.field = field
        self.valueCount = valueCount
        self.score = score
        self.isPresence = isPresence
        self.values = values
    }
}

extension AttributeDifference {
    fileprivate func isBefore(_ other: Self) -> Bool {
        if isPresence != other.isPresence { return other.isPresence }
        return score != other.score ? score > other.score : field < other.field
    }
}

/// The share of a value in the selection and outside it.
package struct ValueShare: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case exact(QueryValue)
        /// Numbers of a log-linear bin, if an attribute has many.
        case range(low: Double, high: Double)
    }

    package let value: Value
    package let selected: Double
    package let rest: Double

    package init(value: Value, selected: Double, rest: Double) {
        self.value = value
        self.selected = selected
        self.rest = rest
    }
}

/// The limits of what a ranking keeps of each attribute. `NaiveDifferences` is its oracle.
package enum DifferenceLimits {
    /// An attribute with more distinct texts is skipped; more distinct numbers are put into bins.
    package static let distinctValues = 1_000
    package static let shownValues = 20
    /// Differences of shares up to this are equal, because sums of weights are rounded.
    package static let rounding = 1e-9
    /// Columns that say nothing about a record.
    static let ignored: Set<String> = ["time", "adjusted_count", FieldNames.arrived, FieldNames.delay]
}

/// The counts of one attribute.
struct AttributeCounts: Sendable {
    struct Sides: Hashable, Sendable {
        var selected = 0.0
        var rest = 0.0

        mutating func add(_ other: Sides) {
            selected += other.selected
            rest += other.rest
        }
    }

    /// Texts and bools; `nil` if there are too many.
    private(set) var texts: [QueryValue: Sides]? = [:]
    /// Numbers one by one; `nil` if there are too many.
    private(set) var numbers: [QueryValue: Sides]? = [:]
    private var bins: [Int: Sides] = [:]
    private var present = Sides()

    /// Adds the counts of a value. Those of a number are also added to its bin.
    mutating func add(_ value: QueryValue, _ sides: Sides) {
        if sides.selected == 0, sides.rest == 0 { return }
        switch value {
        case .missing: return
        case .bool, .string:
            texts?[value, default: Sides()].add(sides)
            if let count = texts?.count, count > DifferenceLimits.distinctValues { texts = nil }
        case .int, .double:
            numbers?[value, default: Sides()].add(sides)
            if let count = numbers?.count, count > DifferenceLimits.distinctValues { numbers = nil }
        }
    }

    /// About the memory in use, without the text of values.
    var byteCount: Int { ((texts?.count ?? 0) + (numbers?.count ?? 0) + bins.count) * 64 }

    /// True if one of the records has the attribute.
    var hasValues: Bool { present != Sides() }

    /// There are too many texts.
    mutating func dropTexts() { texts = nil }

    mutating func add(bin: Int, _ sides: Sides) { bins[bin, default: Sides()].add(sides) }

    mutating func addPresent(_ sides: Sides) { present.add(sides) }

    mutating func merge(_ other: AttributeCounts) {
        present.add(other.present)
        for (bin, sides) in other.bins { bins[bin, default: Sides()].add(sides) }
        if let texts = other.texts {
            for (value, sides) in texts { add(value, sides) }
        } else {
            texts = nil
        }
        if let numbers = other.numbers {
            for (value, sides) in numbers { add(value, sides) }
        } else {
            numbers = nil
        }
    }

    /// Returns the difference of an attribute, or `nil` if it is to be skipped.
    func difference(_ field: String, selected: Double, rest: Double) -> AttributeDifference? {
        guard let texts else { return nil }
        var shares = texts.map { ValueShare(value: .exact($0), selected: $1.selected, rest: $1.rest) }
        if let numbers {
            shares += numbers.map { ValueShare(value: .exact($0), selected: $1.selected, rest: $1.rest) }
        } else {
            shares += bins.map { bin, sides in
                let bounds = LogLinearBins.heatmap.bounds(of: bin)
                return ValueShare(
                    value: .range(low: bounds.low, high: bounds.high), selected: sides.selected, rest: sides.rest)
            }
        }
        func gap(_ share: ValueShare) -> Double { abs(share.selected / selected - share.rest / rest) }
        let missing = ValueShare(
            value: .exact(.missing), selected: selected - present.selected, rest: rest - present.rest)
        let isPresence =
            present.selected == 0 || present.rest == 0
            || gap(missing) > (shares.map(gap).max() ?? 0) + DifferenceLimits.rounding
        if missing.selected > 0 || missing.rest > 0 { shares.append(missing) }
        let sorted = shares.map { ($0, gap($0)) }.sorted { left, right in
            left.1 != right.1 ? left.1 > right.1 : left.0.value.isBefore(right.0.value)
        }
        return AttributeDifference(
            field: field, score: sorted.first?.1 ?? 0, isPresence: isPresence,
            values: sorted.prefix(DifferenceLimits.shownValues).map(\.0), valueCount: sorted.count)
    }
}

extension ValueShare.Value {
    fileprivate func isBefore(_ other: Self) -> Bool {
        switch (self, other) {
        case (.exact(let left), .exact(let right)): left < right
        case (.range(let left, _), .range(let right, _)): left < right
        case (.exact, .range): true
        case (.range, .exact): false
        }
    }
}

extension DifferenceResult {
    /// - Parameter squares: The sums of the squares of the weights that `total` sums.
    init(total: AttributeCounts.Sides, squares: AttributeCounts.Sides, counts: [String: AttributeCounts]) {
        func size(_ sum: Double, _ squares: Double) -> Double { squares > 0 ? sum * sum / squares : 0 }
        let (selected, rest) = (total.selected, total.rest)
        self.init(
            selected: selected, rest: rest, selectedSize: size(selected, squares.selected),
            restSize: size(rest, squares.rest), attributes: [], skipped: [])
        guard selected > 0, rest > 0 else { return }
        for (field, counts) in counts where counts.hasValues {
            if let difference = counts.difference(field, selected: selected, rest: rest) {
                attributes.append(difference)
            } else {
                skipped.append(field)
            }
        }
        attributes.sort { $0.isBefore($1) }
        skipped.sort()
    }
}
