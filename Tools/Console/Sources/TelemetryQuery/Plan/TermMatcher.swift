/// A comparison with its literals prepared.
package struct TermMatcher: Sendable {
    /// The operator without its negation.
    let comparison: ComparisonOperator
    let isNegated: Bool
    let literals: [QueryValue]
    private let texts: [String]
    private let pattern: QueryPattern?

    package init(_ comparison: ComparisonOperator, _ values: [Literal]) {
        self.comparison = comparison.negated ?? comparison
        isNegated = comparison.negated != nil
        literals = values.map(\.value)
        texts = literals.compactMap(\.text)
        // The parser has accepted the pattern.
        pattern = self.comparison == .matches ? texts.first.flatMap { try? QueryPattern($0) } : nil
    }

    /// Returns true if the term holds for a value, missing or not.
    package func matches(_ value: QueryValue) -> Bool { holds(for: value) != isNegated }

    private func holds(for value: QueryValue) -> Bool {
        switch comparison {
        case .exists: !value.isMissing
        case .equal, .isIn: literals.contains { ValueComparison.areEqual(value, $0) }
        case .less: order(value) == .ascending
        case .greater: order(value) == .descending
        case .lessOrEqual: [.ascending, .same].contains(order(value))
        case .greaterOrEqual: [.descending, .same].contains(order(value))
        case .contains: text(value) { $0.utf8.firstRange(of: $1.utf8) != nil }
        case .startsWith: text(value) { $0.utf8.starts(with: $1.utf8) }
        case .matches: value.text.map { pattern?.matches($0) ?? false } ?? false
        default: false
        }
    }

    private func order(_ value: QueryValue) -> ValueComparison.Order? {
        literals.first.flatMap { ValueComparison.order(value, $0) }
    }

    private func text(_ value: QueryValue, _ test: (String, String) -> Bool) -> Bool {
        guard let text = value.text, let wanted = texts.first else { return false }
        return test(text, wanted)
    }
}

extension Collection where Element: Equatable {
    /// Returns the first place of `other`; an empty one is everywhere.
    fileprivate func firstRange(of other: some Collection<Element>) -> Index? {
        if other.isEmpty { return startIndex }
        var place = startIndex
        while place != endIndex {
            if self[place...].starts(with: other) { return place }
            formIndex(after: &place)
        }
        return nil
    }
}
