import ConsoleModel
import TelemetryQuery

/// Reads the spans, events or metric points of the store as the engine sees them.
struct RecordReader: Sendable {
    /// The version of the code that makes fields from records and sessions. Increase it with every change of that, so
    /// that older files are made again.
    static let version = 3

    struct Chunk: Sendable {
        /// Records without the fields of their resource and scope, and these.
        var arrivals: [(sequence: Int64, record: ListedRecord, shared: SharedFields)]
        var trimmedThrough: Int64

        /// The records with all of their fields.
        var records: [(sequence: Int64, record: QueryRecord)] {
            arrivals.map { arrival in
                var record = QueryRecord(arrival.record)
                record.fields.merge(arrival.shared.fields) { $1 }
                return (arrival.sequence, record)
            }
        }
    }

    private struct OriginPair: Hashable {
        let resource: Int64
        let scope: Int64
    }

    let store: any ArrivalSource
    let dataset: Dataset

    func sealedRanges() async throws -> (ranges: [SealedRange], trimmedThrough: Int64) {
        try await store.sealedRanges(of: dataset.rawValue)
    }

    func recordCount(in range: ClosedRange<Int64>) async throws -> Int {
        try await store.recordCount(of: dataset.rawValue, arrivedIn: range)
    }

    func records(after last: Int64, through end: Int64, limit: Int) async throws -> Chunk {
        guard last < end else { return Chunk(arrivals: [], trimmedThrough: 0) }
        let range = last + 1...end
        var names = ColumnNames(of: dataset)
        if dataset == .spans {
            let stored = try await store.spans(arrivedIn: range, limit: limit)
            return chunk(stored) {
                ($0.seq, ListedRecord($0, session: $1, arrived: $2.time(of: $0.seq), names: &names))
            } origin: {
                ($0.origin, $0.scope)
            }
        }
        if dataset == .metrics {
            let stored = try await store.points(arrivedIn: range, limit: limit)
            return chunk(stored) {
                ($0.seq, ListedRecord($0, session: $1, arrived: $2.time(of: $0.seq), names: &names))
            } origin: {
                ($0.origin, $0.scope)
            }
        }
        let stored = try await store.events(arrivedIn: range, limit: limit)
        return chunk(stored) {
            ($0.seq, ListedRecord($0, session: $1, arrived: $2.time(of: $0.seq), names: &names))
        } origin: {
            ($0.origin, $0.scope)
        }
    }

    private func chunk<Record>(
        _ stored: Arrivals<Record>, _ convert: (Record, String?, ArrivalTimes) -> (Int64, ListedRecord),
        origin: (Record) -> (resource: Int64, scope: Int64),
    ) -> Chunk {
        let resources = stored.origins.mapValues { QueryRecord.resourceFields($0) }
        let scopes = stored.scopes.mapValues { QueryRecord.scopeFields($0) }
        // Few pairs of a resource and a scope have many records.
        var known: [OriginPair: SharedFields] = [:]
        var arrivals: [(sequence: Int64, record: ListedRecord, shared: SharedFields)] = []
        arrivals.reserveCapacity(stored.records.count)
        for (record, session) in zip(stored.records, stored.sessions) {
            let (resource, scope) = origin(record)
            let pair = OriginPair(resource: resource, scope: scope)
            let shared =
                known[pair]
                ?? SharedFields((resources[resource] ?? [:]).merging(scopes[scope] ?? [:]) { first, _ in first })
            known[pair] = shared
            let (sequence, converted) = convert(record, session, stored.times)
            arrivals.append((sequence, converted, shared))
        }
        return Chunk(arrivals: arrivals, trimmedThrough: stored.trimmedThrough)
    }
}
