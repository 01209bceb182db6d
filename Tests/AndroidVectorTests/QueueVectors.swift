import AstrolabePlatform
import AstrolabeSeededRandomness
import AstrolabeTestSupport

@testable import AstrolabeOfflineQueue

/// Scripts of calls to the queue, with their results and the rows after each call.
struct QueueVectors {
    var file: VectorFile {
        get throws {
            let scripts = try (0..<14).map { try QueueScript(seed: $0).run() }
            return VectorFile(name: "queue", sections: [("scripts", scripts)])
        }
    }
}

/// One queue with small limits, and random calls to it.
///
/// Records are named by the order of their ids. The payload of record n is its size in bytes of the value n.
private final class QueueScript {
    private static let second: UInt64 = 1_000_000_000
    private var random: SeededGenerator
    private let directory = TemporaryDirectory()
    private let clock = Locked((wall: 1_000_000 * second, steady: 500 * second))
    private let maximumFailedAttempts: Int
    private var queue: RecordQueue
    private var leases: [QueueLease] = []
    private var firstID: Int64 = 0

    private var path: String { directory.path + "/queue.db" }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        maximumFailedAttempts = seed % 2 == 0 ? 0 : 1
        queue = try Self.open(directory.path + "/queue.db", clock, maximumFailedAttempts)
    }

    private static func open(
        _ path: String, _ clock: Locked<(wall: UInt64, steady: UInt64)>, _ maximumFailedAttempts: Int,
    ) throws -> RecordQueue {
        var configuration = QueueConfiguration()
        configuration.maximumRecords = 10
        configuration.maximumBytes = 300
        configuration.maximumRecordBytes = 80
        configuration.maximumAge = 20_000 * second
        configuration.maximumFailedAttempts = maximumFailedAttempts
        configuration.leaseDuration = 60 * second
        configuration.durability = .processDeath
        let clock = QueueClock(steady: { clock.withLock { $0.steady } }, boot: { "boot" })
        return try RecordQueue(path: path, configuration: configuration, clock: clock)
    }

    func run() throws -> JSON {
        firstID = try SQLiteDatabase(path: path, busyTimeout: 1_000).number("SELECT last FROM ids") + 1
        let steps = try (0..<36).map { _ in try step() }
        return .object([("maximumFailedAttempts", JSON(maximumFailedAttempts)), ("steps", .array(steps))])
    }

    private func step() throws -> JSON {
        let call: [JSON]
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: call = try enqueue()
        case 5..<10: call = try lease()
        case 10..<12: call = try acknowledge()
        case 12..<15: call = try recordFailure()
        case 15: call = try release()
        case 16..<18: call = wait()
        case 18: call = setClock()
        default: call = try reopen()
        }
        return .array(call + [try state()])
    }

    /// `["enqueue", [[kind, priority, seconds since now, size, failed attempts]], dropped]`.
    private func enqueue() throws -> [JSON] {
        var batch = QueueBatch()
        var records: [JSON] = []
        let last = try SQLiteDatabase(path: path, busyTimeout: 1_000).number("SELECT last FROM ids")
        var number = Int(last - firstID)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let kind = Int.random(in: 0...2, using: &random)
            let priority = Int.random(in: 0...3, using: &random)
            let isOld = Int.random(in: 0..<12, using: &random) == 0
            let later = isOld ? -30_000 : Int.random(in: -50...50, using: &random)
            let size = Int.random(in: 0..<15, using: &random) == 0 ? 81 : Int.random(in: 0...60, using: &random)
            let failed = Int.random(in: 0..<6, using: &random) == 0 ? 1 : 0
            if size <= 80 { number += 1 }
            let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
            let time = UInt64(Int64(clock.withLock { $0.wall }) + Int64(later) * Int64(Self.second))
            payload.withUnsafeBytes { bytes in
                batch.append(
                    bytes, kind: UInt8(kind), priority: UInt8(priority), time: time, header: [], failedAttempts: failed,
                )
            }
            records.append(JSON([kind, priority, later, size, failed]))
        }
        return ["enqueue", .array(records), dropped(try queue.enqueue(batch))]
    }

    /// `["lease", records, bytes, kind, minimum priority, has failed, leased records]`.
    private func lease() throws -> [JSON] {
        let records = Int.random(in: 0...6, using: &random)
        let bytes = Int.random(in: 0..<4, using: &random) == 0 ? 30 : 10_000
        let kind = Int.random(in: 0..<4, using: &random) == 0 ? UInt8.random(in: 0...2, using: &random) : nil
        let priority = Int.random(in: 0..<3, using: &random) == 0 ? UInt8.random(in: 0...3, using: &random) : 0
        let hasFailed = Int.random(in: 0..<3, using: &random) == 0 ? Bool.random(using: &random) : nil
        let lease = try queue.lease(
            maximumRecords: records, maximumBytes: bytes, kinds: kind.map { [$0] }, minimumPriority: priority,
            hasFailed: hasFailed)
        if let lease { leases.append(lease) }
        return [
            "lease", JSON(records), JSON(bytes), kind.map { JSON(Int($0)) } ?? .null, JSON(Int(priority)),
            hasFailed.map(JSON.boolean) ?? .null, lease.map { JSON($0.ids.map(number)) } ?? .null,
        ]
    }

    /// `["acknowledge", place of the lease, places of the records, removed]`.
    private func acknowledge() throws -> [JSON] {
        guard let (place, lease) = anyLease() else { return ["none"] }
        let places = somePlaces(of: lease)
        let removed = try queue.acknowledge(places.map { lease.ids[$0] })
        return ["acknowledge", JSON(place), JSON(places), JSON(removed)]
    }

    /// `["recordFailure", place of the lease, places of the records, dropped]`.
    private func recordFailure() throws -> [JSON] {
        guard let (place, lease) = anyLease() else { return ["none"] }
        let places = somePlaces(of: lease)
        let receipt = try queue.recordFailure(places.map { lease.ids[$0] }, of: lease)
        return ["recordFailure", JSON(place), JSON(places), dropped(receipt)]
    }

    /// `["release", place of the lease]`.
    private func release() throws -> [JSON] {
        guard let (place, lease) = anyLease() else { return ["none"] }
        try queue.release(lease)
        return ["release", JSON(place)]
    }

    /// `["wait", seconds]`: both clocks advance.
    private func wait() -> [JSON] {
        let seconds = [10, 61, 3_000, 9_000][Int.random(in: 0..<4, using: &random)]
        clock.withLock { clock in
            clock.wall += UInt64(seconds) * Self.second
            clock.steady += UInt64(seconds) * Self.second
        }
        return ["wait", JSON(seconds)]
    }

    /// `["setClock", seconds]`: the user sets the wall clock forward or back, which changes the times of later
    /// records.
    private func setClock() -> [JSON] {
        let seconds = [100, 50_000, -50_000][Int.random(in: 0..<3, using: &random)]
        clock.withLock { $0.wall = UInt64(Int64($0.wall) + Int64(seconds) * Int64(Self.second)) }
        return ["setClock", JSON(seconds)]
    }

    /// `["reopen"]`: the process closes the queue, and another one opens it.
    private func reopen() throws -> [JSON] {
        queue.close()
        queue = try Self.open(path, clock, maximumFailedAttempts)
        return ["reopen"]
    }

    private func anyLease() -> (place: Int, lease: QueueLease)? {
        if leases.isEmpty { return nil }
        // Mostly a recent one, whose records are still there.
        let place = max(0, leases.count - 1 - Int.random(in: 0...3, using: &random))
        return (place, leases[place])
    }

    private func somePlaces(of lease: QueueLease) -> [Int] {
        lease.ids.indices.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
    }

    private func number(_ id: Int64) -> Int { Int(id - firstID) + 1 }

    private func dropped(_ receipt: QueueReceipt) -> JSON {
        JSON(QueueDrop.allCases.filter { $0 != .corrupt }.map { receipt.dropped[$0] ?? 0 })
    }

    /// `[[record, kind, priority, size, failed attempts, leased], …], [enqueued, acknowledged, evicted, expired,
    /// refused, oversized], bytes`.
    private func state() throws -> JSON {
        let statistics = try queue.statistics()
        let database = try SQLiteDatabase(path: path, busyTimeout: 1_000)
        let select = try database.statement(
            """
            SELECT id, kind, priority, length(payload), refusals, EXISTS (SELECT 1 FROM leases WHERE record = records.id)
            FROM records ORDER BY id
            """)
        defer { select.reset() }
        var rows: [JSON] = []
        while try select.step() {
            rows.append(JSON([number(select.int(0))] + (1...5).map { Int(select.int($0)) }))
        }
        let drops: [QueueDrop] = [.evicted, .expired, .retriesExhausted, .oversized]
        let counts = [statistics.enqueued, statistics.acknowledged] + drops.map { statistics.dropped[$0] ?? 0 }
        return [.array(rows), JSON(counts), JSON(statistics.bytes)]
    }
}
