/// The attributes of a service that have no column in a segment, because the service sends too many keys.
package struct OmittedKeys: Sendable, Hashable {
    /// The number of keys that are remembered by name.
    private static let limit = 1_000

    package let service: String
    /// The first of them, as names of columns.
    package private(set) var keys: Set<String>
    /// True if there are others.
    package private(set) var hasMore: Bool

    package init(service: String, keys: Set<String> = [], hasMore: Bool = false) {
        self.service = service
        self.keys = keys
        self.hasMore = hasMore
    }

    mutating func add(_ key: String) {
        guard !keys.contains(key) else { return }
        if keys.count < Self.limit { keys.insert(key) } else { hasMore = true }
    }

    /// Adds what another segment omitted of the same service.
    package mutating func add(_ other: OmittedKeys) {
        for key in other.keys { add(key) }
        hasMore = hasMore || other.hasMore
    }
}

extension QueryPlan {
    /// The names of columns that the plan reads.
    package var columnNames: Set<String> {
        let own = fieldNames.filter { FieldNames.relation(of: $0) == nil }
        return Set(own.flatMap { FieldNames.columns(for: $0, in: query.dataset) })
    }

    /// Refuses the plan if records in its window lack a value that it reads, and that was sent.
    ///
    /// - Parameter segments: Those of the query's dataset.
    package func checkOmissions(in segments: [Segment]) throws(QueryError) {
        var names: Set<String>?
        let timed = segments.compactMap { $0.timed(by: query.clock) }
        for segment in timed where !segment.omitted.isEmpty {
            guard segment.minTime < window.end, segment.maxTime >= (comparisonWindow?.start ?? window.start) else {
                continue
            }
            let read = names ?? columnNames
            names = read
            for omission in segment.omitted where concerns(omission.service) {
                guard let name = read.intersection(omission.keys).sorted().first else { continue }
                let service = omission.service.isEmpty ? "A service without a name" : omission.service
                throw QueryError(
                    "\(service) sent more than \(SegmentBuilder.keysPerService) attributes among up to "
                        + "\(Segment.rowLimit) records, and \(QueryText.name(name)) was left out of some of them. It is "
                        + "kept from now on. Ask for a later time, or for another service.name.", isIncomplete: true)
            }
        }
    }

    /// Returns true if records of a service can fulfil the condition, by its conditions on `service.name` alone.
    private func concerns(_ service: String) -> Bool {
        func mayFulfil(_ condition: Condition) -> Bool {
            switch condition {
            case .all(let conditions): return conditions.allSatisfy(mayFulfil)
            case .any(let conditions): return conditions.contains(where: mayFulfil)
            case .not: return true
            case .leaf(let term):
                guard case .field("service.name") = term.subject else { return true }
                let isListed = term.values.contains { $0.value == .string(service) }
                return switch term.comparison {
                case .equal, .isIn: isListed
                case .notEqual, .isNotIn: !isListed
                default: true
                }
            }
        }
        return condition.map(mayFulfil) ?? true
    }
}
