extension Query {
    /// The fields of related records that the query asks for: `crashed` of the session for `session.crashed`.
    package var relatedFields: [Relation: Set<String>] {
        var found = RelationFinder()
        for field in derived { found.visit(field.expression) }
        for group in groups { found.visit(group) }
        for calculation in calculations { found.visit(calculation) }
        if let condition { found.visit(condition) }
        for term in having?.leaves ?? [] { found.visit(term.calculation) }
        for term in order {
            switch term.key {
            case .calculation(let calculation): found.visit(calculation)
            case .group(let expression): found.visit(expression)
            }
        }
        return found.fields
    }
}

extension FunnelQuery {
    /// The fields of related records that the funnel asks for.
    package var relatedFields: [Relation: Set<String>] {
        var found = RelationFinder()
        for step in steps { found.visit(step.condition) }
        if let condition { found.visit(condition) }
        if let group { found.visit(group) }
        found.visit(key)
        return found.fields
    }
}

extension FlowQuery {
    /// The fields of related records that the flow asks for.
    package var relatedFields: [Relation: Set<String>] {
        var found = RelationFinder()
        if let condition { found.visit(condition) }
        found.visit(field)
        found.visit(key)
        return found.fields
    }
}

private struct RelationFinder {
    var fields: [Relation: Set<String>] = [:]

    mutating func visit(_ calculation: Calculation) {
        if let operand = calculation.operand { visit(operand) }
        if let condition = calculation.condition { visit(condition) }
    }

    mutating func visit(_ condition: Condition) {
        for term in condition.leaves { visit(term.subject) }
    }

    mutating func visit(_ expression: Expression) {
        switch expression {
        case .field(let name):
            if let (relation, field) = FieldNames.relation(of: name) { fields[relation, default: []].insert(field) }
        case .literal: break
        case .arithmetic(let left, _, let right):
            visit(left)
            visit(right)
        case .bucket(let value, _), .extract(let value, _): visit(value)
        case .coalesce(let values):
            for value in values { visit(value) }
        case .conditional(let condition, let yes, let no):
            visit(condition)
            visit(yes)
            visit(no)
        }
    }
}
