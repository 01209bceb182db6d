import TelemetryQuery

/// Counts every value of every attribute in a selection and outside it.
struct NaiveDifferences {
    private struct Sides {
        var selected = 0.0
        var rest = 0.0

        mutating func add(_ weight: Double, isSelected: Bool) {
            if isSelected { selected += weight } else { rest += weight }
        }
    }

    private struct Range: Hashable {
        let low: Double
        let high: Double
    }

    private struct Attribute {
        var present = Sides()
        var values: [QueryValue: Sides] = [:]
        var ranges: [Range: Sides] = [:]
    }

    private var total = Sides()
    private var squares = Sides()
    private var attributes: [String: Attribute] = [:]

    mutating func add(_ record: QueryRecord, weight: Double, isSelected: Bool) {
        total.add(weight, isSelected: isSelected)
        squares.add(weight * weight, isSelected: isSelected)
        // A record that counts as 0 says nothing.
        guard weight > 0 else { return }
        let ignored = ["time", "adjusted_count", "arrived", "delay"]
        for (field, value) in record.fields where !value.isMissing && !ignored.contains(field) {
            attributes[field, default: Attribute()].present.add(weight, isSelected: isSelected)
            attributes[field]?.values[value, default: Sides()].add(weight, isSelected: isSelected)
            switch value {
            case .int, .double:
                guard let number = NaiveComparison.number(value) else { continue }
                let (low, high) = NaiveBins.bounds(of: number)
                attributes[field]?.ranges[Range(low: low, high: high), default: Sides()]
                    .add(weight, isSelected: isSelected)
            case .missing, .bool, .string: continue
            }
        }
    }

    var result: DifferenceResult {
        func size(_ sum: Double, _ squares: Double) -> Double { squares > 0 ? sum * sum / squares : 0 }
        var result = DifferenceResult(
            selected: total.selected, rest: total.rest, selectedSize: size(total.selected, squares.selected),
            restSize: size(total.rest, squares.rest), attributes: [], skipped: [])
        guard total.selected > 0, total.rest > 0 else { return result }
        for (field, attribute) in attributes {
            if let shares = shares(of: attribute) {
                result.attributes.append(difference(field, shares, isPresence: isPresence(attribute, shares)))
            } else {
                result.skipped.append(field)
            }
        }
        result.attributes.sort { left, right in
            if left.isPresence != right.isPresence { return right.isPresence }
            return left.score != right.score ? left.score > right.score : left.field < right.field
        }
        result.skipped.sort()
        return result
    }

    /// The shares of the values; `nil` for an attribute with too many texts. Too many numbers are put into bins.
    private func shares(of attribute: Attribute) -> [ValueShare]? {
        func isNumber(_ value: QueryValue) -> Bool {
            switch value {
            case .int, .double: true
            case .missing, .bool, .string: false
            }
        }
        let numbers = attribute.values.filter { isNumber($0.key) }
        let others = attribute.values.filter { !isNumber($0.key) }
        guard others.count <= DifferenceLimits.distinctValues else { return nil }
        var shares = others.map { ValueShare(value: .exact($0), selected: $1.selected, rest: $1.rest) }
        if numbers.count <= DifferenceLimits.distinctValues {
            shares += numbers.map { ValueShare(value: .exact($0), selected: $1.selected, rest: $1.rest) }
        } else {
            shares += attribute.ranges.map { range, sides in
                ValueShare(
                    value: .range(low: range.low, high: range.high), selected: sides.selected, rest: sides.rest)
            }
        }
        let missing = (
            selected: total.selected - attribute.present.selected, rest: total.rest - attribute.present.rest,
        )
        if missing.selected > 0 || missing.rest > 0 {
            shares.append(
                ValueShare(value: .exact(.missing), selected: missing.selected, rest: missing.rest))
        }
        return shares
    }

    private func gap(_ share: ValueShare) -> Double {
        abs(share.selected / total.selected - share.rest / total.rest)
    }

    /// True if one side has none of an attribute, or its absence differs more than each of its values.
    private func isPresence(_ attribute: Attribute, _ shares: [ValueShare]) -> Bool {
        if attribute.present.selected == 0 || attribute.present.rest == 0 { return true }
        let present = shares.filter { $0.value != .exact(.missing) }.map(gap).max() ?? 0
        let absent = shares.first { $0.value == .exact(.missing) }.map(gap) ?? 0
        return absent > present + DifferenceLimits.rounding
    }

    private func difference(_ field: String, _ shares: [ValueShare], isPresence: Bool) -> AttributeDifference {
        let sorted = shares.sorted { left, right in
            let (one, other) = (gap(left), gap(right))
            if one != other { return one > other }
            switch (left.value, right.value) {
            case (.exact(let one), .exact(let other)): return one < other
            case (.range(let one, _), .range(let other, _)): return one < other
            case (.exact, .range): return true
            case (.range, .exact): return false
            }
        }
        return AttributeDifference(
            field: field, score: sorted.first.map(gap) ?? 0, isPresence: isPresence,
            values: Array(sorted.prefix(DifferenceLimits.shownValues)), valueCount: sorted.count)
    }
}
