import ConsoleModel
import Foundation
import QueryOracle
import Testing

@testable import TelemetryConsole
@testable import TelemetryQuery

/// The records of a store, and the naive evaluator's answers over them.
struct Oracle: Sendable {
    let records: [Dataset: [QueryRecord]]
    let now: Int64

    var spans: [QueryRecord] { records[.spans] ?? [] }
    var events: [QueryRecord] { records[.events] ?? [] }
    var sessions: [QueryRecord] { records[.sessions] ?? [] }

    init(_ store: any TelemetryStore) async throws {
        let source = try #require(store.arrivals)
        var records: [Dataset: [QueryRecord]] = [:]
        for dataset in [Dataset.spans, .events] {
            let chunk = try await RecordReader(store: source, dataset: dataset)
                .records(after: 0, through: .max, limit: 1_000_000)
            records[dataset] = chunk.records.map(\.record)
        }
        let reader = BlockReader.sessions(of: source)
        for block in try await reader.blocks() {
            records[.sessions, default: []] += try await reader.records(block).map(\.record)
        }
        self.records = records
        now = Int64(clamping: store.configuration.now())
    }

    func result(_ text: String) throws -> QueryResult {
        let query = try Query(text: text)
        return NaiveEvaluator.evaluate(try QueryPlan(query, now: now), over: records[query.dataset] ?? [])
    }

    /// The groups and their totals, as texts.
    func rows(_ text: String) throws -> [[String]] {
        try result(text).rows.map { row in
            row.key.map { $0.text ?? "(missing)" } + row.values.totals.map { $0.number.map { "\($0)" } ?? "–" }
        }
    }

    /// The number of records that fulfil a condition.
    func count(of dataset: Dataset, _ isCounted: (QueryRecord) -> Bool) -> Int {
        records[dataset]?.count(where: isCounted) ?? 0
    }
}

extension QueryRecord {
    func text(_ field: String) -> String? { value(ofColumn: field).text ?? value(ofColumn: "resource." + field).text }
    func number(_ field: String) -> Double? { value(ofColumn: field).number }
}
