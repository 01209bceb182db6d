import TelemetryQuery

/// Compares values as the guide to queries defines it.
enum NaiveComparison {
    /// Returns the operator without its negation.
    static func positive(_ comparison: ComparisonOperator) -> (comparison: ComparisonOperator, isNegated: Bool) {
        switch comparison {
        case .notEqual: (.equal, true)
        case .isNotIn: (.isIn, true)
        case .doesNotContain: (.contains, true)
        case .doesNotStartWith: (.startsWith, true)
        case .doesNotMatch: (.matches, true)
        case .doesNotExist: (.exists, true)
        default: (comparison, false)
        }
    }

    static func holds(_ comparison: ComparisonOperator, _ value: QueryValue, _ literals: [QueryValue]) -> Bool {
        let (positive, isNegated) = positive(comparison)
        return test(positive, value, literals) != isNegated
    }

    private static func test(
        _ comparison: ComparisonOperator, _ value: QueryValue, _ literals: [QueryValue],
    ) -> Bool {
        if comparison == .exists { return !value.isMissing }
        guard let first = literals.first else { return false }
        switch comparison {
        case .equal, .isIn: return literals.contains { areEqual(value, $0) }
        case .less: return order(value, first).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(value, first).map { $0 <= 0 } ?? false
        case .greater: return order(value, first).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(value, first).map { $0 >= 0 } ?? false
        default: break
        }
        guard let text = value.text, let wanted = literals.lazy.compactMap(\.text).first else { return false }
        switch comparison {
        case .startsWith: return Array(text.utf8).starts(with: wanted.utf8)
        case .contains:
            let (bytes, part) = (Array(text.utf8), Array(wanted.utf8))
            guard part.count <= bytes.count else { return false }
            return (0...(bytes.count - part.count)).contains { bytes[$0...].starts(with: part) }
        case .matches: return (try? QueryPattern(wanted))?.matches(text) ?? false
        default: return false
        }
    }

    private static func areEqual(_ left: QueryValue, _ right: QueryValue) -> Bool {
        switch (left, right) {
        case (.bool(let bool), .string(let text)), (.string(let text), .bool(let bool)): text == "\(bool)"
        default: order(left, right) == 0
        }
    }

    /// Returns a number below, at or above 0, or `nil` if the values have no order.
    private static func order(_ left: QueryValue, _ right: QueryValue) -> Int? {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
        case (.string(let left), .string(let right)): return left == right ? 0 : left < right ? -1 : 1
        case (.missing, _), (_, .missing), (.bool, _), (_, .bool): return nil
        case (.string(let text), _): return number(in: text).flatMap { order($0, right) }
        case (_, .string(let text)): return number(in: text).flatMap { order(left, $0) }
        case (.int(let left), .int(let right)): return left == right ? 0 : left < right ? -1 : 1
        case (.double(let left), .double(let right)):
            if left.isNaN || right.isNaN { return nil }
            return left == right ? 0 : left < right ? -1 : 1
        case (.int(let left), .double(let right)): return order(left, right)
        case (.double(let left), .int(let right)): return order(right, left).map { -$0 }
        }
    }

    /// Compares without rounding the whole number.
    private static func order(_ whole: Int64, _ number: Double) -> Int? {
        if number.isNaN { return nil }
        if number >= 9_223_372_036_854_775_808 { return -1 }
        if number < -9_223_372_036_854_775_808 { return 1 }
        let part = Int64(number)
        if whole != part { return whole < part ? -1 : 1 }
        let rest = number - Double(part)
        return rest == 0 ? 0 : rest > 0 ? -1 : 1
    }

    /// Returns the number that sums and arithmetic see. A text counts if it is a JSON number.
    static func number(_ value: QueryValue) -> Double? {
        switch value {
        case .int(let int): Double(int)
        case .double(let double): double.isNaN ? nil : double
        case .string(let text): number(in: text).flatMap { number($0) }
        case .missing, .bool: nil
        }
    }

    private static func number(in text: String) -> QueryValue? {
        guard text.utf8.count <= 40,
            text.wholeMatch(of: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]+)?/) != nil
        else { return nil }
        if let int = Int64(text) { return .int(int) }
        return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    }
}
