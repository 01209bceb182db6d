import AstrolabeOfflineQueue
import ConsoleModel

extension Forwarder {
    /// The state of the queue as JSON. Counts are of requests, since the queue was created, and `returned` since the
    /// console started.
    func state() async throws -> JSONText {
        let statistics = try await statistics()
        var text = JSONText()
        text.object { text in
            text.member("endpoint", place)
            text.member("waiting", statistics.records)
            text.member("waitingBytes", statistics.bytes)
            text.member("bytesLimit", bytesLimit)
            text.member("sent", statistics.acknowledged)
            text.member("droppedFull", statistics.dropped[.evicted, default: 0])
            text.member("droppedRefused", statistics.dropped[.retriesExhausted, default: 0])
            let other = statistics.dropped.filter { $0.key != .evicted && $0.key != .retriesExhausted }
            text.member("droppedOther", other.values.reduce(0, +))
            text.member("rejectedRecords", statistics.counters[Self.rejectedRecords] ?? 0)
            text.member("returned", returnedRequests)
            text.member(optional: "failure", failure)
        }
        return text
    }
}
