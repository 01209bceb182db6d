@testable import AstrolabeOfflineQueue

/// The rules of the queue implemented with arrays and sorting.
struct QueueModel {
    struct Record {
        var number: Int
        var kind: UInt8
        var priority: UInt8
        var time: UInt64
        var bytes: Int
        var failedAttempts = 0
        /// When the first of those arrived that arrived about the same time.
        var arrival: UInt64 = 0
        var lease: Int?
        var leaseEnd: UInt64 = 0
    }

    var configuration: QueueConfiguration
    var records: [Record] = []
    var counters: [String: Int] = [:]
    var wall: UInt64
    var steady: UInt64
    private var lastArrival: UInt64?

    init(configuration: QueueConfiguration, wall: UInt64, steady: UInt64) {
        self.configuration = configuration
        self.wall = wall
        self.steady = steady
    }

    mutating func count(_ name: String, _ difference: Int) {
        if difference != 0 { counters[name, default: 0] += difference }
    }

    private mutating func drop(_ reason: QueueDrop, where isMeant: (Record) -> Bool) {
        let before = records.count
        records.removeAll(where: isMeant)
        count(reason.rawValue, before - records.count)
    }

    mutating func dropExpired() {
        let (now, limit) = (steady, configuration.maximumAge)
        drop(.expired) { $0.arrival + limit < now && $0.lease == nil }
    }

    mutating func enqueue(_ new: [Record]) {
        dropExpired()
        count("queue.enqueued", new.count)
        count(QueueDrop.oversized.rawValue, new.filter { $0.bytes > configuration.maximumRecordBytes }.count)
        let admitted = new.filter { $0.bytes <= configuration.maximumRecordBytes }
        if !admitted.isEmpty {
            let arrival = lastArrival.flatMap { steady - $0 < configuration.maximumAge / 168 ? $0 : nil } ?? steady
            lastArrival = arrival
            for var record in admitted {
                record.arrival = arrival
                records.append(record)
            }
        }
        while records.count > configuration.maximumRecords
            || records.reduce(0, { $0 + $1.bytes }) > configuration.maximumBytes
        {
            let free = records.filter { $0.lease == nil }
            let order = { (record: Record) in (record.priority, record.time, record.number) }
            guard let worst = free.min(by: { order($0) < order($1) }) else { break }
            drop(.evicted) { $0.number == worst.number }
        }
    }

    mutating func lease(_ lease: Int, limit: Int, bytes: Int, kinds: Set<UInt8>?, minimumPriority: UInt8) -> [Record] {
        for index in records.indices where records[index].lease != nil && records[index].leaseEnd <= steady {
            records[index].lease = nil
        }
        dropExpired()
        let waiting = records.filter {
            $0.lease == nil && $0.priority >= minimumPriority && (kinds?.contains($0.kind) ?? true)
        }
        var taken: [Record] = []
        for record in waiting.sorted(by: {
            ($1.priority, $0.time, $0.number) < ($0.priority, $1.time, $1.number)
        }) {
            let sum = taken.reduce(0) { $0 + $1.bytes } + record.bytes
            guard taken.count < max(limit, 1), taken.isEmpty || sum <= bytes else { break }
            taken.append(record)
        }
        let numbers = Set(taken.map(\.number))
        for index in records.indices where numbers.contains(records[index].number) {
            records[index].lease = lease
            records[index].leaseEnd = steady + configuration.leaseDuration
        }
        return taken
    }

    mutating func acknowledge(_ numbers: Set<Int>) {
        let before = records.count
        records.removeAll { numbers.contains($0.number) }
        count("queue.acknowledged", before - records.count)
    }

    mutating func recordFailure(_ numbers: Set<Int>, of lease: Int) {
        release(lease, numbers)
        for index in records.indices where numbers.contains(records[index].number) && records[index].lease == nil {
            records[index].failedAttempts += 1
        }
        let most = configuration.maximumFailedAttempts
        drop(.retriesExhausted) {
            numbers.contains($0.number) && $0.lease == nil && $0.failedAttempts > most && $0.priority < 3
        }
    }

    mutating func release(_ lease: Int, _ numbers: Set<Int>) {
        for index in records.indices where numbers.contains(records[index].number) && records[index].lease == lease {
            records[index].lease = nil
        }
    }

    mutating func releaseAll(of leases: Set<Int>) {
        for index in records.indices {
            if let lease = records[index].lease, leases.contains(lease) { records[index].lease = nil }
        }
    }

    var statistics: QueueStatistics {
        var statistics = QueueStatistics()
        statistics.records = records.count
        statistics.bytes = records.reduce(0) { $0 + $1.bytes }
        for record in records {
            statistics.byKind[record.kind, default: 0] += 1
            statistics.byPriority[record.priority, default: 0] += 1
        }
        statistics.leased = records.filter { $0.lease != nil }.count
        statistics.oldest = records.map(\.time).min()
        statistics.counters = counters
        return statistics
    }
}
