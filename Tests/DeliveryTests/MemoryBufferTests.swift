import Dispatch
import OTLP
import Platform
import TelemetryModel
import Testing

@testable import Delivery

private func append(
    _ bytes: [UInt8], to buffer: MemoryBuffer, kind: RecordKind = .span, scope: ScopeNumber = ScopeNumber(rawValue: 0),
) {
    bytes.withUnsafeBytes {
        buffer.append($0, header: RecordHeader(kind: kind, priority: .normal, scope: scope, timeUnixNano: 1))
    }
}

/// Takes until nothing is left, in small batches.
private func drain(_ buffer: MemoryBuffer, limit: Int = 7) -> [RecordBatch] {
    var batches: [RecordBatch] = []
    while true {
        let batch = buffer.take(limit: limit)
        if batch.isEmpty { return batches }
        batches.append(batch)
    }
}

@Suite struct `The memory buffer` {
    @Test func `gives records back by kind and scope, oldest first`() {
        let buffer = MemoryBuffer()
        let shop = buffer.register(InstrumentationScope(name: "shop"))
        let network = buffer.register(InstrumentationScope(name: "network"))
        append([1], to: buffer, scope: shop)
        append([2], to: buffer, scope: network)
        append([3], to: buffer, kind: .event, scope: shop)
        append([4], to: buffer, scope: shop)
        let batch = buffer.take(limit: 10)
        var expected = EncodedRecords()
        for record: [UInt8] in [[1], [4]] { record.withUnsafeBytes { expected.append($0) } }
        #expect(batch.count == 4)
        #expect(batch.part(.span)?.map(\.scope) == [shop, network])
        #expect(batch.part(.span)?.first?.records == expected)
        #expect(batch.part(.event)?.count == 1)
        #expect(batch.part(.metric) == nil)
        #expect(buffer.scope(network).name == "network")
    }

    @Test func `the same scope has one number`() {
        let buffer = MemoryBuffer()
        let scope = InstrumentationScope(name: "shop", version: "1")
        #expect(buffer.register(scope) == buffer.register(scope))
        #expect(buffer.register(scope) != buffer.register(InstrumentationScope(name: "shop", version: "2")))
    }

    @Test func `holds as many as fit, drops the rest, and counts both`() {
        let buffer = MemoryBuffer(segmentSize: 1_024, segmentCount: 4)
        let record = [UInt8](repeating: 7, count: 100)
        for _ in 0..<1_000 { append(record, to: buffer) }
        let kept = drain(buffer).reduce(0) { $0 + $1.count }
        #expect(buffer.appendedCount == 1_000)
        #expect(kept + buffer.droppedCount == 1_000)
        // 8 records of 120 bytes in each segment of 1,024.
        #expect(kept == 32)
    }

    @Test func `a record larger than a segment is dropped and counted, and the next is taken`() {
        let buffer = MemoryBuffer(segmentSize: 1_024, segmentCount: 2)
        append([UInt8](repeating: 1, count: 1_009), to: buffer)
        append([UInt8](repeating: 1, count: 1_008), to: buffer)
        #expect(buffer.droppedCount == 1)
        #expect(buffer.take(limit: 10).count == 1)
    }

    @Test func `the ring turns many times without losing a record to its seams`() {
        let buffer = MemoryBuffer(segmentSize: 1_024, segmentCount: 2)
        var sum = 0
        for round in 0..<500 {
            for size in 1...3 { append([UInt8](repeating: UInt8(size), count: (round % 90) + size), to: buffer) }
            sum += drain(buffer, limit: 2).reduce(0) { $0 + $1.count }
        }
        #expect(sum == 1_500)
        #expect(buffer.droppedCount == 0)
    }

    @Test func `many threads append while one takes, and each record comes out once`() {
        let buffer = MemoryBuffer(segmentSize: 4_096, segmentCount: 4)
        let perThread = 20_000
        let threads = 4
        let taken = Guarded(0)
        let working = Guarded(threads)
        DispatchQueue.concurrentPerform(iterations: threads + 1) { index in
            if index < threads {
                for number in 0..<perThread {
                    append([UInt8](repeating: UInt8(index), count: number % 200), to: buffer)
                }
                working.withLock { $0 -= 1 }
            } else {
                while working.withLock({ $0 }) > 0 {
                    let count = buffer.take(limit: 64).count
                    taken.withLock { $0 += count }
                }
            }
        }
        let total = taken.withLock { $0 } + drain(buffer).reduce(0) { $0 + $1.count }
        #expect(buffer.appendedCount == threads * perThread)
        #expect(total + buffer.droppedCount == threads * perThread)
        #expect(total > 0)
    }
}
