/// A query that is ready to run: names resolved, limits checked, windows computed.
package struct QueryPlan: Sendable {
    package let query: Query
    package let window: TimeWindow
    package let comparisonWindow: TimeWindow?
    /// The latest minute in which the records of the comparison window may have arrived, in nanoseconds since 1970;
    /// `nil` if all count.
    package private(set) var arrivalBound: Int64?
    /// Without derived fields: these and all other expressions and conditions are written out.
    package let groups: [Expression]
    package let condition: Condition?
    /// Those of the query first, then those that only `having` and `order` need.
    package let calculations: [Calculation]
    package let having: Having?
    package let order: [Order]

    package struct Order: Sendable {
        package enum Key: Sendable {
            case calculation(Int)
            case group(Int)
        }

        package let key: Key
        package let isDescending: Bool
    }

    /// - Parameter now: Nanoseconds since 1970, the end of "last 1h".
    /// - Throws: `QueryError` if a name is not defined or a limit is exceeded.
    package init(_ query: Query, now: Int64) throws(QueryError) {
        try Self.check(query)
        var names = try DerivedNames(query.derived)
        self.query = query
        window = try TimeWindow(query.time, query.granularity, now: now)
        comparisonWindow = query.comparison.map(window.earlier)
        groups = try names.expand(query.groups)
        condition = try query.condition.map { value throws(QueryError) in try names.expand(value) }
        var calculations: [Calculation] = []
        for calculation in query.calculations { calculations.append(try names.expand(calculation)) }
        having = try query.having.map { having throws(QueryError) in
            try having.mapped { term throws(QueryError) in
                HavingTerm(try names.expand(term.calculation), term.comparison, term.value)
            }
        }
        for calculation in having?.leaves.map(\.calculation) ?? [] where !calculations.contains(calculation) {
            try Self.expectNumber(calculation, in: "having")
            calculations.append(calculation)
        }
        var order: [Order] = []
        for term in query.order {
            switch term.key {
            case .calculation(let calculation):
                let calculation = try names.expand(calculation)
                try Self.expectNumber(calculation, in: "order")
                let index = calculations.firstIndex(of: calculation) ?? calculations.count
                if index == calculations.count { calculations.append(calculation) }
                order.append(Order(key: .calculation(index), isDescending: term.isDescending))
            case .group(let expression):
                guard let index = groups.firstIndex(of: try names.expand(expression)) else {
                    throw QueryError("Expected a calculation or a field of by in order, found \(expression).")
                }
                order.append(Order(key: .group(index), isDescending: term.isDescending))
            }
        }
        if order.isEmpty {
            var first = calculations.firstIndex { $0.function != .heatmap } ?? calculations.count
            if calculations[0].function == .heatmap {
                first = calculations.firstIndex(of: Calculation(.count)) ?? calculations.count
            }
            if first == calculations.count { calculations.append(Calculation(.count)) }
            order = [Order(key: .calculation(first), isDescending: true)]
        }
        self.calculations = calculations
        self.order = order
    }

    /// Returns the plan that takes the comparison window as it looked at a time, by when its records arrived.
    ///
    /// A record counts if the middle of the minute in which it arrived had passed, or if its arrival is unknown.
    ///
    /// - Parameter time: Nanoseconds since 1970.
    package func comparing(asOf time: Int64) -> QueryPlan {
        var plan = self
        plan.arrivalBound = time - 30_000_000_000
        return plan
    }

    /// The condition that ``arrivalBound`` sets; `nil` without one.
    package var isInTime: Condition? {
        let arrived = Expression.field(FieldNames.arrived)
        return arrivalBound.map { bound in
            .any([.leaf(Term(arrived, .lessOrEqual, [Literal(.int(bound))])), .leaf(Term(arrived, .doesNotExist))])
        }
    }

    /// The condition on the records of the comparison window.
    var comparisonCondition: Condition? {
        let conditions = [condition, isInTime].compactMap(\.self)
        return conditions.count > 1 ? .all(conditions) : conditions.first
    }

    private static func check(_ query: Query) throws(QueryError) {
        guard (1...QueryLimits.calculations).contains(query.calculations.count) else {
            throw QueryError("Expected 1 to \(QueryLimits.calculations) calculations.")
        }
        guard query.groups.count <= QueryLimits.groups else {
            throw QueryError("Expected at most \(QueryLimits.groups) fields to group by.")
        }
        if query.clock == .arrival, query.calculations.contains(where: { $0.function == .concurrency }) {
            throw QueryError("Concurrency is about when records happened. Leave out arriving.")
        }
        guard (1...QueryLimits.resultGroups).contains(query.limit) else {
            throw QueryError("Expected a limit from 1 to \(QueryLimits.resultGroups).")
        }
    }

    /// Returns the segments that have records in a window, with the times of the query's clock.
    func segments(_ segments: [Segment], reaching window: TimeWindow) -> [Segment] {
        segments.compactMap { $0.timed(by: query.clock) }
            .filter { $0.minTime < window.end && $0.maxTime >= window.start }
    }

    private static func expectNumber(_ calculation: Calculation, in clause: String) throws(QueryError) {
        if calculation.function == .heatmap { throw QueryError("A heatmap cannot be used in \(clause).") }
    }
}

/// The definitions of derived fields.
private struct DerivedNames {
    private var definitions: [String: Expression] = [:]
    private var nodes = 0

    init(_ derived: [DerivedField]) throws(QueryError) {
        for field in derived {
            guard definitions[field.name] == nil else {
                throw QueryError("The name \(field.name) is defined twice.")
            }
            definitions[field.name] = try expand(field.expression)
        }
    }

    private mutating func count() throws(QueryError) {
        nodes += 1
        // Definitions that use one another several times grow exponentially.
        guard nodes <= 10 * QueryLimits.nodes else {
            throw QueryError("The definitions after \"with\" have too many parts once they are written out.")
        }
    }

    mutating func expand(_ expressions: [Expression]) throws(QueryError) -> [Expression] {
        var result: [Expression] = []
        for expression in expressions { result.append(try expand(expression)) }
        return result
    }

    mutating func expand(_ expression: Expression) throws(QueryError) -> Expression {
        try count()
        switch expression {
        case .field(let name):
            guard let definition = definitions[name] else { return expression }
            nodes += definition.nodes
            try count()
            return definition
        case .literal: return expression
        case .arithmetic(let left, let sign, let right): return .arithmetic(try expand(left), sign, try expand(right))
        case .bucket(let value, let size): return .bucket(try expand(value), size)
        case .coalesce(let values): return .coalesce(try expand(values))
        case .conditional(let condition, let yes, let no):
            return .conditional(try expand(condition), then: try expand(yes), else: try expand(no))
        case .extract(let value, let pattern): return .extract(try expand(value), pattern: pattern)
        }
    }

    mutating func expand(_ condition: Condition) throws(QueryError) -> Condition {
        try condition.mapped { term throws(QueryError) in
            Term(try expand(term.subject), term.comparison, term.values)
        }
    }

    mutating func expand(_ calculation: Calculation) throws(QueryError) -> Calculation {
        var result = calculation
        if let operand = calculation.operand { result.operand = try expand(operand) }
        if let condition = calculation.condition { result.condition = try expand(condition) }
        return result
    }
}

extension Expression {
    fileprivate var nodes: Int {
        switch self {
        case .field, .literal: 1
        case .arithmetic(let left, _, let right): 1 + left.nodes + right.nodes
        case .bucket(let value, _), .extract(let value, _): 1 + value.nodes
        case .coalesce(let values): values.reduce(1) { $0 + $1.nodes }
        case .conditional(let condition, let yes, let no):
            condition.leaves.reduce(1 + yes.nodes + no.nodes) { $0 + $1.subject.nodes }
        }
    }
}

extension Logic {
    /// The leaves, from left to right.
    var leaves: [Leaf] {
        switch self {
        case .leaf(let leaf): [leaf]
        case .all(let parts), .any(let parts): parts.flatMap(\.leaves)
        case .not(let part): part.leaves
        }
    }

    func holds(_ leafHolds: (Leaf) -> Bool) -> Bool {
        switch self {
        case .leaf(let leaf): leafHolds(leaf)
        case .all(let parts): parts.allSatisfy { $0.holds(leafHolds) }
        case .any(let parts): parts.contains { $0.holds(leafHolds) }
        case .not(let part): !part.holds(leafHolds)
        }
    }

    func mapped<Other>(
        _ transform: (Leaf) throws(QueryError) -> Other
    ) throws(QueryError) -> Logic<Other> {
        switch self {
        case .leaf(let leaf): return .leaf(try transform(leaf))
        case .not(let part): return .not(try part.mapped(transform))
        case .all(let parts), .any(let parts):
            var mapped: [Logic<Other>] = []
            for part in parts { mapped.append(try part.mapped(transform)) }
            if case .all = self { return .all(mapped) }
            return .any(mapped)
        }
    }
}
