import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeTestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Alternately enqueues batches of ten and removes records, until it is killed. The number of batches is a mark, so
/// that the test can check that it changes together with the batches.
func runQueue(_ database: String, seed: UInt64) {
    var configuration = QueueConfiguration()
    configuration.maximumRecords = 500
    configuration.durability = .processDeath
    guard let queue = try? RecordQueue(path: database, configuration: configuration) else { exit(4) }
    let random = IDGenerator(firstSeed: seed, secondSeed: seed ^ 0xABCD)
    var batches = UInt64((try? queue.statistics())?.counters["batches"] ?? 0)
    while true {
        do throws(QueueError) {
            if random.next64() % 3 > 0 {
                try queue.enqueue(batch(batches), change: QueueChange(counters: ["batches": 1]))
                tell(Message(.enqueued, batches))
                batches += 1
            } else if let lease = try queue.lease(maximumRecords: 16, maximumBytes: 1_048_576) {
                switch random.next64() % 4 {
                case 0: try queue.release(lease)
                case 1: try queue.recordFailure(lease.ids, of: lease)
                default:
                    for record in lease.records { tell(Message(.removing, record.time - epoch)) }
                    try queue.acknowledge(lease.ids)
                    for record in lease.records { tell(Message(.removed, record.time - epoch)) }
                }
            }
        } catch {
            exit(6)
        }
    }
}

/// Enqueues ten records, leases four of them, and holds the lease until it is killed.
func holdLease(_ database: String) {
    guard let queue = try? RecordQueue(path: database), (try? queue.enqueue(batch(0))) != nil,
        let lease = try? queue.lease(maximumRecords: 4, maximumBytes: .max)
    else { exit(4) }
    tell(Message(.enqueued, 0))
    withExtendedLifetime((queue, lease)) {
        while true { pause() }
    }
}

/// The time of the first record: far in the future, so that nothing expires by the real clock.
private let epoch = UInt64(Int64.max) - 1_000_000_000

private func batch(_ number: UInt64) -> QueueBatch {
    var batch = QueueBatch()
    for index in 0..<10 as Range<UInt64> {
        let record = number * 10 + index
        batch.append(payload(record), kind: 1, priority: UInt8(record % 4), time: epoch + record, header: [1, 2, 3])
    }
    return batch
}
