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
    /// It counts all records of the services that the query finds, whatever else its condition says. A comparison with
    /// a time that is more complete is to be counted as of ``QueryCompleteness/comparedAsOf``.
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
        var result = QueryCompleteness(window: window, comparison: comparison)
        if result.inequality != nil, let earlier = plan.comparisonWindow, plan.comparesRecords {
            let time = now - (plan.window.start - earlier.start)
            let share = try await Self.shareOfRecords(
                arrivedBy: time, in: earlier, of: plan.query.dataset, ofServices: services, columns)
            if let share { result.compare(asOf: time, arrived: share) }
        }
        return result
    }

    /// Returns the share of a window's records that had arrived by a time; `nil` if it has none.
    private static func shareOfRecords(
        arrivedBy time: Int64, in window: TimeWindow, of dataset: Dataset, ofServices services: Set<String>,
        _ columns: QueryColumns,
    ) async throws -> Double? {
        var question = Query()
        question.dataset = dataset
        question.time = .between(from: window.start, to: window.end)
        question.granularity = .total
        question.condition = .leaf(
            Term(.field("resource.service.name"), .isIn, services.sorted().map { Literal(.string($0)) }))
        question.isRaw = true
        let isInTime = try QueryPlan(question, now: time).comparing(asOf: time).isInTime
        question.calculations = [Calculation(.ratio, where: isInTime)]
        let result = try await columns.engine.evaluate(
            QueryPlan(question, now: time), over: columns.segments(of: dataset))
        return result.rows.first?.values.totals.first?.number
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

extension QueryPlan {
    /// True if the query is about records as they arrived. A session, and what a record knows of its session or trace,
    /// changes when later records arrive.
    fileprivate var comparesRecords: Bool { query.dataset != .sessions && query.relatedFields.isEmpty }
}

extension Completeness {
    fileprivate func window(_ window: TimeWindow, active: [ActivePhone]) -> WindowCompleteness? {
        self.window(
            from: window.start, to: window.end, steps: (0..<window.stepCount).map { window.bounds(ofStep: $0) },
            active: active)
    }
}
