import BenchmarkSubjects
import Foundation

/// The cost of the offline queue, with transactions that survive a power failure.
enum QueueRows {
    /// The number of batches of 512 records: 9,216 records. The queue holds 10,000, so it evicts none.
    private static let batches = 18
    /// The number of events for the other queue. It is small, because each event takes milliseconds.
    private static let events = 256
    private static let rounds = 7

    static func measure() throws -> [Row] {
        let span = Workload.encodedSpan()
        let (enqueued, drained) = try leased(span)
        let (inserted, selected) = try insertedOneByOne(span)
        return [
            row(
                "offline queue, enqueue in batches of 512", enqueued,
                target: "over 100000 records/s, 50 times the alternative",
                beside: "insert, count and prune for each", inserted,
            ) { $0 > 100_000 && $1 >= 50 },
            row(
                "offline queue, lease and acknowledge by 512", drained, target: "as fast as the alternative",
                beside: "select and delete of 100", selected,
            ) { $1 >= 1 },
        ]
    }

    /// Measures the records per second into and out of our queue. The queue has been used before, as it is after the
    /// first minute of an app's life.
    private static func leased(_ span: [UInt8]) throws -> (into: Double, out: Double) {
        let folder = try BenchmarkFolder()
        let queue = try QueueSubject(path: folder.path("queue.db"))
        func empty() throws { while try queue.drain(Workload.batchSize) > 0 {} }
        func fill() throws { for _ in 0..<batches { try queue.enqueue(span, count: Workload.batchSize) } }
        let enqueued = try Measurement.of(count: 1, rounds: rounds, before: empty, fill)
        try empty()
        var taken = 0
        let drained = try Measurement.of(count: 1, rounds: rounds, before: fill) {
            for _ in 0..<batches { taken += try queue.drain(Workload.batchSize) }
        }
        let expected = (rounds + 1) * batches * Workload.batchSize
        guard taken == expected else {
            throw BenchmarkFailure("expected \(expected) records from the queue; found \(taken)")
        }
        return (rate(batches * Workload.batchSize, enqueued), rate(batches * Workload.batchSize, drained))
    }

    /// Measures the records per second into and out of the other queue.
    private static func insertedOneByOne(_ span: [UInt8]) throws -> (into: Double, out: Double) {
        let folder = try BenchmarkFolder()
        let queue = try InsertPerEventQueue(path: folder.path("queue.db"))
        let event = InsertPerEventQueue.Event(payload: Data(span))
        func empty() {
            while case let found = queue.dequeue(limit: 100), !found.isEmpty { queue.markSent(found.map(\.id)) }
        }
        func check() throws {
            let count = queue.count
            guard count == events else {
                throw BenchmarkFailure("expected \(events) events in the other queue; found \(count)")
            }
        }
        let inserted = try Measurement.of(count: 1, rounds: rounds, before: empty) {
            for _ in 0..<events { queue.enqueue(event) }
            try check()
        }
        empty()
        let before = {
            queue.enqueueBatch(Array(repeating: event, count: events))
            try check()
        }
        let selected = try Measurement.of(count: 1, rounds: rounds, before: before, empty)
        return (rate(events, inserted), rate(events, selected))
    }

    private static func rate(_ records: Int, _ measured: Measurement) -> Double {
        Double(records) / measured.nanoseconds * 1e9
    }

    private static func row(
        _ name: String, _ rate: Double, target: String, beside other: String, _ otherRate: Double,
        isMet: (_ rate: Double, _ ratio: Double) -> Bool,
    ) -> Row {
        Row(
            name: name, figure: "\(Int(rate)) records/s", target: target, isMet: isMet(rate, rate / otherRate),
            alternative: "\(other): \(Int(otherRate)) records/s; \(Report.times(rate / otherRate))",
        )
    }
}
