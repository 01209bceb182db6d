extension QueryEngine {
    /// Returns the values of a field in the records that fulfil the plan's condition in its window.
    ///
    /// Of more values than a query may have groups, it returns some. Missing values are left out.
    ///
    /// - Throws: `QueryError` after the time limit, or `CancellationError`.
    package func values(
        of field: String, in plan: QueryPlan, over segments: [Segment],
    ) async throws -> Set<QueryValue> {
        let parts = try await gather(plan, from: segments, into: Set<QueryValue>()) { scan, found in
            let mask = scan.mask(of: plan.condition, in: plan.window)
            if case .none = mask { return }
            let column = scan.codes(of: .field(field))
            var isFound = Array(repeating: false, count: column.values.count)
            if let rows = mask.rows() {
                for row in rows { isFound[Int(column.codes[Int(row)])] = true }
            } else {
                for code in column.codes { isFound[Int(code)] = true }
            }
            for (value, isFound) in zip(column.values, isFound)
            where isFound && !value.isMissing && found.count < limits.groups {
                found.insert(value)
            }
        }
        return parts.reduce(into: []) { $0.formUnion($1) }
    }
}
