import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeSeededRandomness
import AstrolabeTestSupport
import Testing

/// Random sequences of operations on the queue and on its model, which must agree after each.
struct PropertyTests {
    @Test(arguments: 1...UInt64(Thoroughness.count(3, thorough: 12)))
    func `the queue matches its model across closings and kills`(seed: UInt64) throws {
        var run = try Run(seed: seed)
        for step in 0..<200 { try run.step("seed \(seed), step \(step)") }
    }

    private struct Run {
        private var random: SeededGenerator
        private var bench = QueueBench()
        private var configuration = QueueConfiguration()
        private var queues: [RecordQueue]
        private var model: QueueModel
        private var nextNumber = 0
        private var nextLease = 0
        private var held: [Held] = []
        /// The queue of each lease.
        private var leases: [Int: Int] = [:]
        /// The model's number of each record id.
        private var numbers: [Int64: Int] = [:]

        private struct Held {
            let name: Int
            let queue: Int
            let lease: QueueLease
        }

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            configuration.maximumRecords = 60
            configuration.maximumBytes = 6_000
            configuration.maximumRecordBytes = 400
            configuration.maximumAge = 100 * QueueBench.second
            configuration.leaseDuration = 50 * QueueBench.second
            configuration.maximumFailedAttempts = 2
            configuration.durability = .processDeath
            queues = []
            model = QueueModel(configuration: configuration, wall: QueueBench.start, steady: QueueBench.second)
            try open()
            try open()
        }

        private mutating func open() throws {
            let settings = configuration
            queues.append(try bench.open { $0 = settings })
        }

        mutating func step(_ what: Comment) throws {
            switch random.below(20) {
            case 0...5: try enqueue()
            case 6...10: try lease(what)
            case 11...12: try end { run, one, ids in try run.acknowledge(one, ids) }
            case 13...14: try end { run, one, ids in try run.recordFailure(one, ids) }
            case 15: try end { run, one, _ in try run.release(one) }
            case 16: turnClocks()
            case 17: try reopenOne()
            case 18:
                try queues[random.below(2)].maintain()
                model.dropExpired()
            default: try crash()
            }
            #expect(try queues[random.below(2)].statistics() == model.statistics, what)
        }

        private mutating func enqueue() throws {
            var batch = QueueBatch()
            var records: [QueueModel.Record] = []
            for _ in 0..<random.below(25) {
                let kind = UInt8(1 + random.below(3))
                let priority = UInt8(random.below(4))
                let age = UInt64(random.below(120)) * QueueBench.second
                let bytes = 8 + random.below(random.below(10) == 0 ? 600 : 200)
                let record = QueueModel.Record(
                    number: nextNumber, kind: kind, priority: priority, time: model.wall - age, bytes: bytes,
                )
                nextNumber += 1
                records.append(record)
                let name = (0..<8).map { UInt8(truncatingIfNeeded: record.number >> (8 * $0)) }
                let payload = name + [UInt8](repeating: kind, count: bytes - 8)
                batch.append(payload, kind: kind, priority: priority, time: record.time, header: [kind % 2])
            }
            model.enqueue(records)
            model.count("mine", records.count)
            try queues[random.below(2)].enqueue(batch, change: QueueChange(counters: ["mine": records.count]))
        }

        private mutating func lease(_ what: Comment) throws {
            let limit = random.below(20)
            let bytes = random.below(2) == 0 ? Int.max : random.below(1_500)
            let kinds: Set? = random.below(3) == 0 ? [UInt8(1 + random.below(3)), UInt8(1 + random.below(3))] : nil
            let priority = random.below(3) == 0 ? UInt8(random.below(4)) : 0
            let expected = model.lease(nextLease, limit: limit, bytes: bytes, kinds: kinds, minimumPriority: priority)
            let queue = random.below(2)
            let lease = try queues[queue].lease(
                maximumRecords: limit, maximumBytes: bytes, kinds: kinds, minimumPriority: priority,
            )
            let found = (lease?.records ?? []).map { record in
                record.payload.prefix(8).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
            }
            #expect(found == expected.map(\.number), what)
            #expect(lease?.records.map(\.failedAttempts) ?? [] == expected.map(\.failedAttempts), what)
            #expect(lease?.records.map(\.payload.count) ?? [] == expected.map(\.bytes), what)
            guard let lease else { return }
            #expect(lease.records.allSatisfy { lease.headers[$0.header] == [$0.kind % 2] }, what)
            for (record, number) in zip(lease.records, found) { numbers[record.id] = number }
            leases[nextLease] = queue
            held.append(Held(name: nextLease, queue: queue, lease: lease))
            nextLease += 1
        }

        /// Ends a held lease completely or in part; ended leases may be ended again.
        private mutating func end(_ body: (inout Run, Held, [Int64]) throws -> Void) throws {
            guard !held.isEmpty else { return }
            let index = random.below(held.count)
            let one = held[index]
            var ids = one.lease.ids
            if random.below(3) == 0 { ids = Array(ids.prefix(random.below(ids.count + 1))) }
            if random.below(4) > 0 { held.remove(at: index) }
            try body(&self, one, ids)
        }

        private func known(_ ids: [Int64]) -> Set<Int> { Set(ids.compactMap { numbers[$0] }) }

        private mutating func acknowledge(_ one: Held, _ ids: [Int64]) throws {
            model.acknowledge(known(ids))
            try queues[one.queue].acknowledge(ids)
        }

        private mutating func recordFailure(_ one: Held, _ ids: [Int64]) throws {
            model.recordFailure(known(ids), of: one.name)
            try queues[one.queue].recordFailure(ids, of: one.lease)
        }

        private mutating func release(_ one: Held) throws {
            model.release(one.name, known(one.lease.ids))
            try queues[one.queue].release(one.lease)
        }

        private mutating func turnClocks() {
            let wall = UInt64(random.below(40)) * QueueBench.second
            let steady = UInt64(random.below(40)) * QueueBench.second
            model.wall += wall
            model.steady += steady
            bench.wall.withLock { $0 += wall }
            bench.steady.withLock { $0 += steady }
        }

        /// Closes and reopens one of the two queues: its leases end, those of the other do not.
        private mutating func reopenOne() throws {
            let index = random.below(2)
            queues[index].close()
            model.releaseAll(of: Set(leases.filter { $0.value == index }.keys))
            let settings = configuration
            queues[index] = try bench.open { $0 = settings }
        }

        /// Kills both: the files are copied without a checkpoint and opened elsewhere.
        private mutating func crash() throws {
            bench = try bench.crashed()
            queues = []
            try open()
            try open()
            model.releaseAll(of: Set(0..<nextLease))
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(bound, 1), using: &self) }
}
