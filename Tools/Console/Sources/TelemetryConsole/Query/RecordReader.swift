import ConsoleStore
import TelemetryQuery

/// Reads the spans, events or metric points of the store as the engine sees them.
struct RecordReader: Sendable {
    /// How records become fields. Increase it with every change of that, so that older files are made again.
    static let version = 2

    struct Chunk: Sendable {
        var records: [(sequence: Int64, record: QueryRecord)]
        var trimmedThrough: Int64
    }

    let store: any TelemetryStore
    let dataset: Dataset

    func sealedRanges() async throws -> (ranges: [SealedRange], trimmedThrough: Int64) {
        try await store.sealedRanges(of: dataset.rawValue)
    }

    func records(after last: Int64, through end: Int64, limit: Int) async throws -> Chunk {
        guard last < end else { return Chunk(records: [], trimmedThrough: 0) }
        let range = last + 1...end
        if dataset == .spans {
            let stored = try await store.spans(arrivedIn: range, limit: limit)
            return chunk(stored) {
                ($0.seq, QueryRecord($0, session: $1, resource: $2))
            } origin: {
                $0.origin
            }
        }
        if dataset == .metrics {
            let stored = try await store.points(arrivedIn: range, limit: limit)
            return chunk(stored) {
                ($0.seq, QueryRecord($0, session: $1, resource: $2))
            } origin: {
                $0.origin
            }
        }
        let stored = try await store.events(arrivedIn: range, limit: limit)
        return chunk(stored) {
            ($0.seq, QueryRecord($0, session: $1, resource: $2))
        } origin: {
            $0.origin
        }
    }

    private func chunk<Record>(
        _ stored: Arrivals<Record>, _ convert: (Record, String?, [String: QueryValue]) -> (Int64, QueryRecord),
        origin: (Record) -> Int64,
    ) -> Chunk {
        let resources = stored.origins.mapValues { QueryRecord.resourceFields($0) }
        let records = zip(stored.records, stored.sessions).map { record, session in
            let (sequence, record) = convert(record, session, resources[origin(record)] ?? [:])
            return (sequence: sequence, record: record)
        }
        return Chunk(records: records, trimmedThrough: stored.trimmedThrough)
    }
}
