import ConsoleModel
import TelemetryQuery

extension QuerySource {
    /// The nanoseconds before the present in which the phones of an hour are counted: three days.
    private static let countedTime: Int64 = 3 * 86_400_000_000_000

    /// The reason of a store that evaluates queries itself.
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
        let (now, sequence) = (self.now, try await store.arrivals?.lastSequence() ?? 0)
        let start = min(plan.window.start, plan.comparisonWindow?.start ?? .max)
        let completeness: Completeness
        if let kept = await keptCompleteness, kept.holds(for: services, through: sequence, at: now) {
            completeness = kept.completeness
        } else {
            completeness = Completeness(try await store.arrivalFacts(ofServices: services), now: now)
            await keep(KeptCompleteness(services: services, sequence: sequence, now: now, completeness: completeness))
        }
        let active = try await store.activePhones(
            ofServices: services, from: max(start, now - Self.countedTime), to: min(plan.window.end, now))
        guard let window = completeness.window(plan.window, active: active) else { return nil }
        let comparison = plan.comparisonWindow.flatMap { completeness.window($0, active: active) }
        return QueryCompleteness(window: window, comparison: comparison)
    }

    private func keep(_ computed: KeptCompleteness) { keptCompleteness = computed }
}

/// The completeness of services at a time, which the panels of a board share.
struct KeptCompleteness: Sendable {
    let services: Set<String>
    /// The last record that had arrived.
    let sequence: Int64
    /// Nanoseconds since 1970.
    let now: Int64
    let completeness: Completeness

    /// Returns true if nothing has arrived since, and the time is the same to a second.
    func holds(for services: Set<String>, through sequence: Int64, at now: Int64) -> Bool {
        self.services == services && self.sequence == sequence && abs(now - self.now) < 1_000_000_000
    }
}

extension Completeness {
    fileprivate func window(_ window: TimeWindow, active: [ActivePhone]) -> WindowCompleteness? {
        self.window(
            from: window.start, to: window.end, steps: (0..<window.stepCount).map { window.bounds(ofStep: $0) },
            active: active)
    }
}
