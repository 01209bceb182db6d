import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeOfflineQueue

struct QueueFailureTests {
    private let bench = QueueBench()

    private func rewrite(_ path: String, _ change: (inout Data) throws -> Void) throws {
        let url = URL(fileURLWithPath: path)
        var data = try Data(contentsOf: url)
        try change(&data)
        // In place, as damage happens: the file keeps its identity.
        let handle = try FileHandle(forWritingTo: url)
        try handle.write(contentsOf: data)
        try handle.close()
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs root on Linux"))
    func `a full disk is reported, nothing is half done, and the queue continues when there is space`() throws {
        let disk = try SmallDisk(at: bench.directory.path, kilobytes: 600)
        let queue = try bench.open()
        var batches = 0
        var failure: QueueError?
        while failure == nil {
            do throws(QueueError) {
                try queue.enqueue(bench.batch([UInt8](repeating: 1, count: 20), size: 1_000))
                batches += 1
            } catch {
                failure = error
            }
        }
        #expect(failure?.reason == .diskFull)
        #expect(batches > 3)
        let statistics = try queue.statistics()
        #expect((statistics.records, statistics.enqueued) == (batches * 20, batches * 20))
        withExtendedLifetime(disk) {}
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs root on Linux"))
    func `a read-only disk is reported when the queue is opened`() throws {
        let disk = try SmallDisk(at: bench.directory.path, kilobytes: 600)
        do { try bench.open().enqueue(bench.batch([1])) }
        try disk.makeReadOnly()
        let error = #expect(throws: QueueError.self) { try bench.open() }
        #expect(error?.reason == .readOnly)
        try disk.makeWritable()
        #expect(try bench.open().statistics().records == 1)
    }

    @Test func `a directory that cannot be created is reported`() throws {
        _ = FileManager.default.createFile(atPath: bench.directory.path, contents: Data())
        let error = #expect(throws: QueueError.self) { try bench.open() }
        #expect(error?.reason == .other)
        #expect(error?.description.contains(bench.directory.path) == true)
    }

    @Test func `a file that is not a database is moved aside, and counted as an unknown loss`() throws {
        do { try bench.open().enqueue(bench.batch([1, 1])) }
        try rewrite(bench.path) { data in
            data.replaceSubrange(0..<data.count, with: Data(repeating: 0x5A, count: data.count))
        }
        let queue = try bench.open()
        let statistics = try queue.statistics()
        #expect((statistics.records, statistics.unknownLosses) == (0, 1))
        #expect(FileManager.default.fileExists(atPath: bench.path + "-damaged"))
        try queue.enqueue(bench.batch([1]))
        #expect(try queue.leaseAll()?.records.count == 1)
    }

    @Test
    func `a damaged page is found on opening, and readable counters are salvaged with the number of lost records`()
        throws
    {
        do {
            let queue = try bench.open()
            for _ in 0..<10 { try queue.enqueue(bench.batch([UInt8](repeating: 1, count: 50), size: 900)) }
            let lease = try #require(try queue.lease(maximumRecords: 7, maximumBytes: .max))
            try queue.acknowledge(lease.ids, change: QueueChange(counters: ["mine": 7], marks: ["mark": [4]]))
        }
        // Pages in the middle contain records; the small tables with the counters come first.
        try rewrite(bench.path) { data in
            let page = data.count / 4_096 / 2 * 4_096
            data.replaceSubrange(page..<page + 8_192, with: Data(repeating: 0xA5, count: 8_192))
        }
        let queue = try bench.open()
        let statistics = try queue.statistics()
        #expect(statistics.records == 0)
        #expect((statistics.enqueued, statistics.acknowledged, statistics.unknownLosses) == (500, 7, 0))
        #expect(statistics.dropped == [.corrupt: 493])
        #expect(statistics.counters["mine"] == 7)
        #expect(try queue.mark("mark") == [4])
        #expect(try queue.mark("queue.ages") == nil, "it names ids of the damaged file")
        #expect(statistics.isBalanced)
    }

    @Test func `a page damaged while the queue is open is handled in the same call, which succeeds`()
        throws
    {
        let queue = try bench.open { $0.durability = .powerLoss }
        for _ in 0..<40 { try queue.enqueue(bench.batch([UInt8](repeating: 1, count: 200), size: 900)) }
        // After a checkpoint everything is in the file and nothing in the log.
        try SQLiteDatabase(path: bench.path, busyTimeout: 1_000).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try rewrite(bench.path) { data in
            for page in stride(from: 30 * 4_096, to: data.count - 8_192, by: 4_096) {
                data.replaceSubrange(page..<page + 64, with: Data(repeating: 0xFF, count: 64))
            }
        }
        while let lease = try queue.lease(maximumRecords: 500, maximumBytes: .max) { try queue.acknowledge(lease.ids) }
        let statistics = try queue.statistics()
        #expect(statistics.records == 0)
        #expect(statistics.isBalanced || statistics.unknownLosses == 1)
        #expect((statistics.dropped[.corrupt] ?? 0) > 0 || statistics.unknownLosses == 1)
        #expect(FileManager.default.fileExists(atPath: bench.path + "-damaged"))
        try queue.enqueue(bench.batch([1]))
        #expect(try queue.leaseAll()?.records.count == 1)
    }

    @Test func `a record with changed bytes is dropped and counted, and the others are not`() throws {
        do { try bench.open().enqueue(bench.batch([1, 1, 1, 1, 1, 1], size: 400)) }
        try rewrite(bench.path) { data in
            let place = try #require(data.range(of: Data(repeating: 3, count: 400)))
            data[place.lowerBound + 77] = 4
        }
        let queue = try bench.open()
        #expect(try queue.leaseAll()?.marks == [0, 1, 2, 4, 5])
        let statistics = try queue.statistics()
        #expect((statistics.records, statistics.dropped) == (5, [.corrupt: 1]))
        #expect(statistics.isBalanced)
    }

    @Test func `a file with a newer schema is left unchanged`() throws {
        do { try bench.open().enqueue(bench.batch([1])) }
        try SQLiteDatabase(path: bench.path, busyTimeout: 1_000).execute("PRAGMA user_version = \(0x2_0002)")
        let error = #expect(throws: QueueError.self) { try bench.open() }
        #expect(error?.reason == .newerSchema)
        try SQLiteDatabase(path: bench.path, busyTimeout: 1_000).execute("PRAGMA user_version = \(0x1_0001)")
        #expect(try bench.open().statistics().records == 1)
    }

    @Test func `a database locked by another connection is reported, and works again afterwards`() throws {
        let queue = try bench.open { $0.busyTimeout = 10 }
        let other = try SQLiteDatabase(path: bench.path, busyTimeout: 10)
        try other.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: QueueError.self) { try queue.enqueue(bench.batch([1])) }
        #expect(error?.reason == .locked)
        try other.execute("COMMIT")
        try queue.enqueue(bench.batch([1]))
        #expect(try queue.statistics().records == 1)
    }

    @Test func `a database that stays locked costs a series of calls one wait`() throws {
        let waited = Locked<UInt64>(0)
        let timeout = LockTimeout(
            milliseconds: 500, now: { waited.withLock { $0 } },
            pause: { milliseconds in waited.withLock { $0 += UInt64(milliseconds) * 1_000_000 } })
        let queue = try bench.open(timeout: timeout)
        let other = try SQLiteDatabase(path: bench.path, busyTimeout: 10)
        try other.execute("BEGIN IMMEDIATE")
        for _ in 0..<20 { #expect(throws: QueueError.self) { try queue.enqueue(bench.batch([1])) } }
        #expect((500_000_000...510_000_000).contains(waited.withLock { $0 }), "20 waits would be 10 s")
        try other.execute("COMMIT")
        try queue.enqueue(bench.batch([1]))
        #expect(try queue.statistics().records == 1)
    }

    @Test(arguments: [10, 40, 70, 95])
    func `a damaged log loses transactions, and their records are counted`(percent: Int) throws {
        let queue = try bench.open()
        for _ in 0..<20 { try queue.enqueue(bench.batch([1, 2, 3], size: 900)) }
        let lease = try #require(try queue.lease(maximumRecords: 9, maximumBytes: .max))
        try queue.acknowledge(lease.ids)
        let crashed = try bench.crashed()
        try rewrite(crashed.path + "-wal") { data in data[data.count * percent / 100] ^= 0x40 }
        let statistics = try crashed.open().statistics()
        #expect(statistics.records < 51 || statistics.acknowledged < 9, "the damage has cost something")
        #expect(statistics.enqueued == 60)
        #expect(statistics.isBalanced)
    }

    @Test func `a removed database is counted by the records that were in it`() throws {
        do {
            let queue = try bench.open()
            try queue.enqueue(bench.batch([1, 1, 1, 1]))
            let lease = try #require(try queue.lease(maximumRecords: 3, maximumBytes: .max))
            try queue.acknowledge(lease.ids)
        }
        for suffix in ["", "-wal", "-shm"] { PrivateFiles.removeFile(bench.path + suffix) }
        let statistics = try bench.open().statistics()
        #expect(statistics.dropped == [.corrupt: 1])
        #expect(statistics.isBalanced)
    }

    @Test func `many connections may open a new queue at the same time`() async throws {
        for _ in 0..<Thoroughness.count(4, thorough: 10) {
            let bench = QueueBench()
            let records = try await withThrowingTaskGroup(of: RecordQueue.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let queue = try bench.open()
                        try queue.enqueue(bench.batch([1]))
                        return queue
                    }
                }
                let queues = try await group.reduce(into: []) { $0.append($1) }
                return try queues[0].statistics().records
            }
            #expect(records == 4)
        }
    }

    @Test func `all files are private to the owner`() throws {
        let queue = try bench.open()
        try queue.enqueue(bench.batch([1]))
        let files = bench.directory.files
        #expect(files.count == 5)
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
        }
    }

    @Test func `removed records are no longer in the files`() throws {
        let secret = [UInt8](repeating: 0x53, count: 700)
        func isThere() throws -> Bool {
            try bench.directory.files.contains { file in
                try Data(contentsOf: URL(fileURLWithPath: file)).range(of: Data(secret)) != nil
            }
        }
        do {
            let queue = try bench.open()
            var batch = QueueBatch()
            for _ in 0..<40 { batch.append(secret, kind: 1, priority: 1, time: bench.now, header: secret) }
            try queue.enqueue(batch)
            #expect(try isThere())
            try queue.acknowledge(try #require(try queue.leaseAll()).ids)
        }
        #expect(try !isThere())
    }

    @Test func `an error never quotes stored data`() throws {
        let queue = try bench.open { $0.maximumPages = 40 }
        var batch = QueueBatch()
        let secret = Array("4111 1111 1111 1111".utf8)
        for _ in 0..<500 {
            batch.append(
                secret + [UInt8](repeating: 0, count: 900), kind: 1, priority: 1, time: bench.now, header: secret)
        }
        let error = #expect(throws: QueueError.self) { try queue.enqueue(batch) }
        #expect(error?.description.contains("4111") == false)
    }
}

extension RecordQueue {
    /// The number of pages of the file, read by another connection.
    func pageCount() throws -> Int {
        Int(try SQLiteDatabase(path: path, busyTimeout: 1_000).number("PRAGMA page_count"))
    }
}
