/// The values that groups are ranked by. A group is any number.
protocol GroupRanking {
    /// Returns the total of one of the plan's calculations, or `nil` if it is missing.
    func number(of calculation: Int, in group: Int) -> Double?
    /// Returns the value of one of the plan's expressions to group by.
    func value(_ expression: Int, of group: Int) -> QueryValue
}

extension QueryPlan {
    /// Returns true if a calculation has a part in the choice and order of groups.
    func ranks(_ calculation: Int) -> Bool {
        order.contains { if case .calculation(calculation) = $0.key { true } else { false } }
            || having?.leaves.contains { $0.calculation == calculations[calculation] } ?? false
    }

    /// Returns the groups of the result, in order.
    func top(of groups: some Sequence<Int>, _ ranking: some GroupRanking) -> [Int] {
        var top: [Int] = []
        for group in groups where isIncluded(total: { ranking.number(of: $0, in: group) }) {
            if top.count == query.limit {
                guard isBefore(group, top[top.count - 1], ranking) else { continue }
                top.removeLast()
            }
            var (low, high) = (0, top.count)
            while low < high {
                let middle = (low + high) / 2
                if isBefore(group, top[middle], ranking) { high = middle } else { low = middle + 1 }
            }
            top.insert(group, at: low)
        }
        return top
    }

    /// Returns true if a group is part of the result.
    ///
    /// - Parameter total: Returns the group's total of one of the plan's calculations, or `nil` if it is missing.
    package func isIncluded(total: (_ calculation: Int) -> Double?) -> Bool {
        having?.holds { term in
            guard let index = calculations.firstIndex(of: term.calculation), let number = total(index) else {
                return false
            }
            return TermMatcher(term.comparison, [term.value]).matches(.double(number))
        } ?? true
    }

    /// Returns true if a group comes before another. Missing values come last; keys decide between equal values.
    func isBefore(_ left: Int, _ right: Int, _ ranking: some GroupRanking) -> Bool {
        for order in order {
            switch order.key {
            case .calculation(let index):
                switch (ranking.number(of: index, in: left), ranking.number(of: index, in: right)) {
                case (let left?, let right?) where left != right: return (left > right) == order.isDescending
                case (.some, nil): return true
                case (nil, .some): return false
                default: break
                }
            case .group(let index):
                let (left, right) = (ranking.value(index, of: left), ranking.value(index, of: right))
                if left != right { return (left < right) != order.isDescending }
            }
        }
        for index in groups.indices {
            let (left, right) = (ranking.value(index, of: left), ranking.value(index, of: right))
            if left != right { return left < right }
        }
        return false
    }
}
