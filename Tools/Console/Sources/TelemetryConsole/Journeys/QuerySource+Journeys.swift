import TelemetryQuery

extension QuerySource {
    /// A result with its question and what the reader must know of the numbers.
    struct Reply<Question: Sendable, Result: Sendable>: Sendable {
        var question: Question
        var result: Result
        var warnings: [String]
    }

    /// - Throws: `QueryError`, `QueryRefusal`, `StoreError` or `CancellationError`.
    func funnel(_ query: FunnelQuery) async throws -> Reply<FunnelQuery, FunnelResult> {
        let now = now
        let needed = try query.needed(now: now)
        return try await withRecords(needed, related: query.relatedFields) { columns in
            let result = try await columns.engine.funnel(query, now: now, over: columns.journeySources)
            return Reply(question: query, result: result, warnings: columns.warnings(from: needed.start))
        }
    }

    /// - Throws: `QueryError`, `QueryRefusal`, `StoreError` or `CancellationError`.
    func flow(_ query: FlowQuery) async throws -> Reply<FlowQuery, FlowResult> {
        let now = now
        let needed = try query.needed(now: now)
        return try await withRecords(needed, related: query.relatedFields) { columns in
            let result = try await columns.engine.flow(query, now: now, over: columns.journeySources)
            return Reply(question: query, result: result, warnings: columns.warnings(from: needed.start))
        }
    }

    /// - Throws: `QueryError`, `QueryRefusal`, `StoreError` or `CancellationError`.
    func serviceMap(_ time: TimeRange) async throws -> Reply<TimeRange, ServiceMap> {
        let now = now
        let spans = try RecordRequest(.spans, time, fields: ServiceMap.fields, now: now)
        return try await withRecords([spans]) { columns in
            let result = try await columns.engine.serviceMap(time, now: now, over: columns.segments(of: .spans))
            return Reply(question: time, result: result, warnings: columns.warnings(from: [spans].start))
        }
    }
}

private let journeyDatasets: [Dataset] = [.spans, .events]

extension [RecordRequest] {
    /// The earliest time of the records, in nanoseconds since 1970.
    fileprivate var start: Int64 { map(\.plan.window.start).min() ?? .max }
}

extension FunnelQuery {
    /// The records of all steps.
    fileprivate func needed(now: Int64) throws(QueryError) -> [RecordRequest] {
        var needed: [RecordRequest] = []
        for dataset in journeyDatasets {
            let steps = steps.filter { $0.dataset ?? dataset == dataset }.map(\.condition)
            if steps.isEmpty { continue }
            needed.append(
                try RecordRequest(
                    dataset, time ?? .last(nanoseconds: 86_400_000_000_000),
                    where: .all([.any(steps)] + [condition].compactMap(\.self)), now: now))
        }
        return needed
    }
}

extension FlowQuery {
    /// The records that count.
    fileprivate func needed(now: Int64) throws(QueryError) -> [RecordRequest] {
        var needed: [RecordRequest] = []
        for dataset in journeyDatasets {
            needed.append(try RecordRequest(dataset, time, where: condition, now: now))
        }
        return needed
    }
}

extension QueryColumns {
    fileprivate var journeySources: [JourneySource] {
        [JourneySource(.spans, segments(of: .spans)), JourneySource(.events, segments(of: .events))]
    }
}
