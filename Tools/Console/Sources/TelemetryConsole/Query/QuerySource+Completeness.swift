import ConsoleModel
import TelemetryQuery

extension QuerySource {
    /// The nanoseconds before the present in which the phones of an hour are counted: three days.
    private static let countedTime: Int64 = 3 * 86_400_000_000_000

    /// What a store says that evaluates queries itself.
    static let completenessUnknown = """
        The ClickHouse store does not keep when records arrived, so it cannot say how much of this time has arrived.
        """

    /// Says how much of what phones recorded in a query's time has arrived; `nil` if the query is about no phone, or if
    /// the store does not know.
    ///
    /// It counts all records of the services that the query finds, whatever else its condition says.
    nonisolated func completeness(
        of plan: QueryPlan, in columns: QueryColumns,
    ) async throws -> QueryCompleteness? {
        // All that arrived in a time has arrived.
        guard plan.query.clock == .event else { return nil }
        guard let known = try await store.phoneServices(), !known.isEmpty else { return nil }
        let found = try await columns.engine.values(
            of: "resource.service.name", in: plan, over: columns.segments(of: plan.query.dataset),
        ).compactMap(\.text)
        // If nothing was found, something may be on its way.
        let services = found.isEmpty ? known : known.intersection(found)
        guard !services.isEmpty else { return nil }
        let now = self.now
        let start = min(plan.window.start, plan.comparisonWindow?.start ?? .max)
        let facts = try await store.arrivalFacts(ofServices: services)
        let active = try await store.activePhones(
            ofServices: services, from: max(start, now - Self.countedTime), to: min(plan.window.end, now), )
        let completeness = Completeness(facts, now: now)
        guard let window = completeness.window(plan.window, active: active) else { return nil }
        let comparison = plan.comparisonWindow.flatMap { completeness.window($0, active: active) }
        return QueryCompleteness(window: window, comparison: comparison)
    }
}

extension Completeness {
    fileprivate func window(_ window: TimeWindow, active: [ActivePhone]) -> WindowCompleteness? {
        self.window(
            from: window.start, to: window.end, steps: (0..<window.stepCount).map { window.bounds(ofStep: $0) },
            active: active, )
    }
}
