import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeOfflineQueue

/// A file that another one replaces, such as an older copy of it.
struct ReplacementTests {
    private let bench = QueueBench()

    /// Writes a copy of the database with all that is in its log.
    private func copy(to path: String) throws {
        try SQLiteDatabase(path: bench.path, busyTimeout: 1_000).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try FileManager.default.copyItem(atPath: bench.path, toPath: path)
    }

    private func removeLog() {
        for suffix in ["-wal", "-shm"] { PrivateFiles.removeFile(bench.path + suffix) }
    }

    @Test func `in use is noticed, and no record of either file is lost`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([1, 1, 1]))
        let older = bench.directory.path + "/older"
        try copy(to: older)
        try queue.enqueue(bench.batch([2, 2]))
        removeLog()
        try PrivateFiles.move(older, to: bench.path)
        let statistics = try queue.statistics()
        #expect((statistics.records, statistics.enqueued) == (5, 5))
        #expect(statistics.dropped == [:])
        #expect(statistics.isBalanced)
        #expect(try queue.leaseAll()?.marks.sorted() == [0, 0, 1, 1, 2])
        #expect((queue.incidents.replacedFiles, queue.incidents.lost) == (1, 0))
    }

    @Test func `in use by a removed one is noticed, and its records stay`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([1, 1, 1]), change: QueueChange(counters: ["mine": 3]))
        for suffix in ["", "-wal", "-shm"] { PrivateFiles.removeFile(bench.path + suffix) }
        try queue.enqueue(bench.batch([1]))
        let statistics = try queue.statistics()
        #expect((statistics.records, statistics.enqueued) == (4, 4))
        #expect(statistics.isBalanced)
        #expect(queue.incidents.replacedFiles == 1)
        #expect(try bench.open().statistics().records == 4, "they are in the file that has the name")
    }

    @Test(arguments: [0, 30, 120, 150])
    func `while it was closed counts as lost what had not left the queue`(left: Int) throws {
        let older = bench.directory.path + "/older"
        do {
            let queue = try bench.open()
            try queue.enqueue(bench.batch([UInt8](repeating: 1, count: 100)))
            try copy(to: older)
            try queue.enqueue(bench.batch([UInt8](repeating: 1, count: 50), later: 1_000))
            if left > 0 {
                let lease = try #require(try queue.lease(maximumRecords: left, maximumBytes: .max))
                #expect(try queue.acknowledge(lease.ids) == left)
            }
        }
        removeLog()
        try PrivateFiles.move(older, to: bench.path)
        let statistics = try bench.open().statistics()
        #expect((statistics.records, statistics.enqueued) == (100, 150))
        #expect(statistics.dropped[.corrupt] ?? 0 == min(50, 150 - left))
        #expect(statistics.isBalanced)
    }

    @Test(arguments: [Int64.max, Int64.min, 1 << 50, -1])
    func `with damaged counters makes no number that cannot be`(value: Int64) throws {
        do { try bench.open().enqueue(bench.batch([1]), change: QueueChange(counters: ["mine": 1])) }
        for name in ["mine", "queue.enqueued", "queue.acknowledged", "queue.unknown-losses"] {
            try SQLiteDatabase(path: bench.path, busyTimeout: 1_000).execute(
                "INSERT OR REPLACE INTO ledger VALUES ('\(name)', \(value))")
        }
        let statistics = try bench.open().statistics()
        for (name, count) in statistics.counters { #expect(count.magnitude <= 1 << 44, "\(name)") }
        #expect(statistics.isBalanced)
    }
}
