extension Query {
    /// The fields of related records that the query asks for: `crashed` of the session for `session.crashed`.
    package var relatedFields: [Relation: Set<String>] {
        var found = FieldFinder()
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
        return found.related
    }
}

extension FunnelQuery {
    /// The fields of related records that the funnel asks for.
    package var relatedFields: [Relation: Set<String>] {
        var found = FieldFinder()
        for step in steps { found.visit(step.condition) }
        if let condition { found.visit(condition) }
        if let group { found.visit(group) }
        found.visit(key)
        return found.related
    }
}

extension FlowQuery {
    /// The fields of related records that the flow asks for.
    package var relatedFields: [Relation: Set<String>] {
        var found = FieldFinder()
        if let condition { found.visit(condition) }
        found.visit(field)
        found.visit(key)
        return found.related
    }
}

extension QueryPlan {
    /// Says of each name that means a field, although records in the window have an attribute of the same name, how to
    /// ask for the attribute.
    ///
    /// - Parameter segments: Those of the query's dataset.
    package func ambiguities(in segments: [Segment]) -> [String] {
        let relevant = self.segments(segments, reaching: window)
        return fieldNames.sorted().compactMap { name in
            let attribute = FieldNames.attributePrefix + name
            guard relevant.contains(where: { $0.columns[attribute] != nil }) else { return nil }
            return "\(QueryText.name(name)) is \(FieldNames.meaning(of: name)). Some records have an attribute of this "
                + "name: write \(QueryText.name(attribute)) for it."
        }
    }

    var fieldNames: Set<String> {
        var found = FieldFinder()
        for group in groups { found.visit(group) }
        for calculation in calculations { found.visit(calculation) }
        if let condition { found.visit(condition) }
        return found.names
    }
}

extension FieldNames {
    /// Describes what a name asks for, if it is not simply an attribute.
    fileprivate static func meaning(of name: String) -> String {
        if let (relation, field) = relation(of: name) {
            return switch relation {
            case .session: "\(field) of the record's session"
            case .root: "\(field) of the first span of the trace"
            case .parent: "\(field) of the parent span"
            case .any: "\(field) of some span of the trace"
            }
        }
        if let key = rest(of: name, after: resourcePrefix) { return "\(key) of the resource" }
        if let key = rest(of: name, after: scopePrefix) { return "\(key) of the scope" }
        if let key = rest(of: name, after: attributePrefix) { return "the attribute \(key)" }
        return name == "service.name" ? "that of the resource" : "a field of the record itself"
    }
}

private struct FieldFinder {
    private(set) var names: Set<String> = []

    var related: [Relation: Set<String>] {
        names.reduce(into: [:]) { related, name in
            if let (relation, field) = FieldNames.relation(of: name) { related[relation, default: []].insert(field) }
        }
    }

    mutating func visit(_ calculation: Calculation) {
        if let operand = calculation.operand { visit(operand) }
        if let condition = calculation.condition { visit(condition) }
    }

    mutating func visit(_ condition: Condition) {
        for term in condition.leaves { visit(term.subject) }
    }

    mutating func visit(_ expression: Expression) {
        switch expression {
        case .field(let name): names.insert(name)
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
