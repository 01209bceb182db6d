import TelemetryQuery

extension QuerySource {
    /// An answer about journeys, with what the reader must know of the numbers.
    struct JourneyAnswer<Question: Sendable, Result: Sendable>: Sendable {
        var question: Question
        var result: Result
        var warnings: [String]
    }

    private static let datasets: [Dataset] = [.spans, .events]

    /// - Throws: `QueryError`, `Busy`, `StoreError` or `CancellationError`.
    func funnel(_ query: FunnelQuery) async throws -> JourneyAnswer<FunnelQuery, FunnelResult> {
        let now = now
        return try await withColumns(of: Self.datasets, fields: query.relatedFields) { columns in
            let result = try await columns.engine.funnel(query, now: now, over: columns.journeySources)
            return JourneyAnswer(question: query, result: result, warnings: columns.warnings)
        }
    }

    /// - Throws: `QueryError`, `Busy`, `StoreError` or `CancellationError`.
    func flow(_ query: FlowQuery) async throws -> JourneyAnswer<FlowQuery, FlowResult> {
        let now = now
        return try await withColumns(of: Self.datasets, fields: query.relatedFields) { columns in
            let result = try await columns.engine.flow(query, now: now, over: columns.journeySources)
            return JourneyAnswer(question: query, result: result, warnings: columns.warnings)
        }
    }

    /// - Throws: `QueryError`, `Busy`, `StoreError` or `CancellationError`.
    func serviceMap(_ time: TimeRange) async throws -> JourneyAnswer<TimeRange, ServiceMap> {
        let now = now
        return try await withColumns(of: [.spans]) { columns in
            let result = try await columns.engine.serviceMap(time, now: now, over: columns.segments(of: .spans))
            return JourneyAnswer(question: time, result: result, warnings: columns.warnings)
        }
    }
}

extension QueryColumns {
    fileprivate var journeySources: [JourneySource] {
        [JourneySource(.spans, segments(of: .spans)), JourneySource(.events, segments(of: .events))]
    }
}
