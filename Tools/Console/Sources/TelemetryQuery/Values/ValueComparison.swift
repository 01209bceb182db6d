/// Compares a record's value with a literal of a condition.
///
/// | record | literal | `=` | `<` and the like |
/// |---|---|---|---|
/// | number | number | by value, exactly, whole or not | by value; never with NaN |
/// | number | text, or the reverse | if the text reads as that number | by value if the text reads as a number |
/// | text | text | same characters | by Unicode |
/// | bool | bool | same | false before true |
/// | bool | text, or the reverse | if the text is `true` or `false` | never |
/// | bool | number, or the reverse | never | never |
/// | missing | anything | never | never |
///
/// A negated operator holds exactly where the operator does not, so it holds for a record without the field.
package enum ValueComparison {
    package enum Order {
        case ascending
        case same
        case descending
    }

    /// Returns whether `left = right`.
    package static func areEqual(_ left: QueryValue, _ right: QueryValue) -> Bool {
        switch (left, right) {
        case (.missing, _), (_, .missing): false
        case (.bool(let bool), .string(let text)), (.string(let text), .bool(let bool)):
            text == (bool ? "true" : "false")
        default: order(left, right) == .same
        }
    }

    /// Returns the order of the two values, or `nil` if they have none.
    package static func order(_ left: QueryValue, _ right: QueryValue) -> Order? {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): left == right ? .same : (left ? .descending : .ascending)
        case (.string(let left), .string(let right)):
            left == right ? .same : (left < right ? .ascending : .descending)
        case (.string(let text), .int), (.string(let text), .double):
            QueryValue.number(in: text).flatMap { orderOfNumbers($0, right) }
        case (.int, .string(let text)), (.double, .string(let text)):
            QueryValue.number(in: text).flatMap { orderOfNumbers(left, $0) }
        default: orderOfNumbers(left, right)
        }
    }

    /// Returns the order of two numbers without rounding either of them.
    static func orderOfNumbers(_ left: QueryValue, _ right: QueryValue) -> Order? {
        switch (left, right) {
        case (.int(let left), .int(let right)): left == right ? .same : (left < right ? .ascending : .descending)
        case (.double(let left), .double(let right)):
            left.isNaN || right.isNaN ? nil : (left == right ? .same : (left < right ? .ascending : .descending))
        case (.int(let int), .double(let double)): order(int, double)
        case (.double(let double), .int(let int)):
            switch order(int, double) {
            case .ascending: .descending
            case .descending: .ascending
            case .same: .same
            case nil: nil
            }
        default: nil
        }
    }

    private static func order(_ int: Int64, _ double: Double) -> Order? {
        if double.isNaN { return nil }
        if double >= 0x1p63 { return .ascending }
        if double < -0x1p63 { return .descending }
        let whole = double.rounded(.down)
        let other = Int64(whole)
        if int != other { return int < other ? .ascending : .descending }
        return whole < double ? .ascending : .same
    }
}
