import TelemetryQuery

extension QuerySource {
    /// A result with its question and what the reader must know of the numbers.
    struct Reply<Question: Sendable, Result: Sendable>: Sendable {
        var question: Question
        var result: Result
        var warnings: [String]
    }

    private static let datasets: [Dataset] = [.spans, .events]

    /// - Throws: `QueryError`, `Busy`, `StoreError` or `CancellationError`.
    func funnel(_ query: FunnelQuery) async throws -> Reply<FunnelQuery, FunnelResult> {
        let now = now
        return try await withColumns(of: Self.datasets, fields: query.relatedFields) { columns in
            let result = try await columns.engine.funnel(query, now: now, over: columns.journeySources)
            return Reply(question: query, result: result, warnings: columns.warnings)
        }
    }

    /// - Throws: `QueryError`, `Busy`, `StoreError` or `CancellationError`.
    func flow(_ query: FlowQuery) async throws -> Reply<FlowQuery, FlowResult> {
        let now = now
        return try await withColumns(of: Self.datasets, fields: query.relatedFields) { columns in
            let result = try await columns.engine.flow(query, now: now, over: columns.journeySources)
            return Reply(question: query, result: result, warnings: columns.warnings)
        }
    }

    /// - Throws: `QueryError`, `Busy`, `StoreError` or `CancellationError`.
    func serviceMap(_ time: TimeRange) async throws -> Reply<TimeRange, ServiceMap> {
        let now = now
        return try await withColumns(of: [.spans]) { columns in
            let result = try await columns.engine.serviceMap(time, now: now, over: columns.segments(of: .spans))
            return Reply(question: time, result: result, warnings: columns.warnings)
        }
    }
}

extension QueryColumns {
    fileprivate var journeySources: [JourneySource] {
        [JourneySource(.spans, segments(of: .spans)), JourneySource(.events, segments(of: .events))]
    }
}
