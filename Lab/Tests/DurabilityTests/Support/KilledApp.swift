import Astrolabe
import AstrolabePlatform
import AstrolabeSeededRandomness
import AstrolabeTestSupport
import Foundation

/// The random numbers of a test, whose seed it prints.
final class Chance: Sendable {
    private let generator: Locked<SeededGenerator>

    init(seed: UInt64 = UInt64.random(in: 0...999_999)) {
        print("the seed is \(seed)")
        generator = Locked(SeededGenerator(seed: seed))
    }

    func number(in range: ClosedRange<Int>) -> Int { generator.withLock { Int.random(in: range, using: &$0) } }
}

/// One installation of the fixture's app: a folder over many runs, most of which end by a kill.
final class KilledApp {
    private let folder = TemporaryDirectory()
    private let collector: TestCollector
    private let chance = Chance()
    private var runs = 0
    /// Numbers of the records whose making had returned.
    private(set) var promised: Set<UInt64> = []
    private(set) var kills = 0

    init(_ collector: TestCollector) {
        self.collector = collector
    }

    /// Runs the app under load on one to four threads, and kills it after it has made so many promises. One time in
    /// five that is after the fewest, while the SDK still recovers what the run before has left.
    ///
    /// - Parameter watch: Called after each promise.
    func runAndKill(after count: ClosedRange<Int> = 1...1_500, watch: () throws -> Void = {}) async throws {
        let process = try start("make", String(chance.number(in: 1...4)))
        for _ in 0..<(chance.number(in: 0...4) == 0 ? count.lowerBound : chance.number(in: count)) {
            guard let message = process.receive() else { throw Failure(description: "the app ended by itself") }
            note([message.first])
            try watch()
        }
        process.kill()
        kills += 1
        while let message = process.receive() { note([message.first]) }
        if backlog > 4_000 { try await catchUp() }
    }

    /// Lets the app make some records and end by itself, soon after its start; expects that all were made.
    func launch(making count: Int, endingAfter milliseconds: Int, by end: String) throws {
        let process = try start("launch", String(count), String(milliseconds), end)
        var made = 0
        while let message = process.receive() {
            note([message.first])
            made += 1
        }
        _ = process.waitForEnd()
        guard made >= count else { throw Failure(description: "the app ended before it had made its records") }
    }

    /// Bytes that the app's files have on the disk.
    var diskBytes: Int {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.reduce(0) { sum, name in
            var status = stat()
            // A file may be removed at any time.
            return sum + (lstat(folder.path + "/" + name, &status) == 0 ? Int(status.st_blocks) * 512 : 0)
        }
    }

    /// Lets a run without a load send what waits, before it comes near what a device keeps, and kills it too.
    private func catchUp() async throws {
        try collector.start()
        let process = try start("send")
        try await eventually("most of what waited is sent") { backlog <= 1_000 }
        process.kill()
    }

    private var backlog: Int { promised.count - Set(collector.log.delivered).intersection(promised).count }

    /// The last run: it makes some records more, and delivers all that there are.
    func finish(making count: Int = 0) throws -> RecordLedger {
        let process = try start("finish", String(count))
        while let message = process.receive() { note([message.first]) }
        guard process.waitForEnd() == 0 else { throw Failure(description: "the last run failed") }
        return try ledger(ofRun: runs)
    }

    /// Records that were promised to a run which this did not follow itself.
    func note(_ numbers: some Sequence<UInt64>) { promised.formUnion(numbers) }

    /// Starts the app without waiting for anything; gives it with the number of its run.
    func start(_ role: String, _ more: String...) throws -> KilledProcess {
        runs += 1
        return try KilledProcess([role, folder.path, String(collector.port), String(runs)] + more, of: "SDKFixture")
    }

    /// The account that a run left when it finished.
    func ledger(ofRun run: Int) throws -> RecordLedger {
        let file = URL(fileURLWithPath: folder.path).appendingPathComponent("ledger-\(run).json")
        return try JSONDecoder().decode(RecordLedger.self, from: Data(contentsOf: file))
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
