import AstrolabePlatform
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A console with a bounded store, for minutes or hours: writers, readers, retention and kills.
///
/// Prints a table with a line for each minute, and fails if a record that was acknowledged is missing, or if memory or
/// disk exceed their bounds.
enum SoakRows {
    static func measure(_ options: BenchmarkOptions) throws -> [Row] {
        let soak = try Soak(options)
        defer { Report.print(table: soak.table) }
        let clients = soak.clients
        try BackgroundLoops.during({ loops in
            clients.write(.traces, rate: options.rates.spans, on: loops)
            clients.write(.logs, rate: options.rates.logs, on: loops)
            clients.write(.metrics, rate: options.rates.points, on: loops)
            clients.poll(["/api/v1/status", "/api/v1/sessions?limit=50"], on: loops)
            clients.poll(["/api/v1/traces?limit=50", "/api/v1/logs?limit=100"], on: loops)
            clients.poll(Soak.queries.map { LoopbackConnection.target(of: $0) }, on: loops)
            clients.follow(3, on: loops)
        }) {
            for minute in 1...options.minutes { try soak.live(minute) }
        }
        let failures = try soak.failures + soak.missing()
        guard failures.isEmpty else { throw BenchmarkFailure(failures.joined(separator: "; ")) }
        return [soak.row]
    }
}

/// The console of the soak and what was seen of it.
private final class Soak {
    static let queries = [
        "count, p99(duration) by http.route last 10m",
        "count of events by severity last 10m every total",
        "count of sessions last 1h every total",
    ]
    /// In MiB, at the usual rates.
    private static let mostMemory = 512
    /// The console is killed in one of so many minutes, the first time in the second.
    private static let minutesOfKill = 3
    private static let titles = [
        "minute", "resident, MiB", "own, MiB", "descriptors", "threads", "disk, MB", "CPU, %", "three queries, ms",
        "acknowledged", "refused", "kills",
    ]

    let clients: SoakClients
    private(set) var table = [Soak.titles]
    private(set) var failures: [String] = []
    private let options: BenchmarkOptions
    private let folder: BenchmarkFolder
    private var console: MeasuredProgram
    private var kills = 0
    private var mostResident = 0
    private var mostOnDisk = 0
    /// The processor seconds of the console at the last reading, and its time.
    private var last = (seconds: 0.0, time: ContinuousClock.now)

    init(_ options: BenchmarkOptions) throws {
        self.options = options
        folder = try BenchmarkFolder()
        let first = try Self.start(in: folder, options)
        console = first
        clients = SoakClients(port: first.port)
    }

    deinit { console.end() }

    private static func start(in folder: BenchmarkFolder, _ options: BenchmarkOptions) throws -> MeasuredProgram {
        try MeasuredProgram.console(in: folder, ["--retention-size", "\(options.storeSize)"])
    }

    /// In MB: the size limit, a quarter more for columns, and the 64 MiB that SQLite's log keeps.
    private var diskLimit: Int { Int(options.storeSize * 1.25 * 1_073.741_824 + 67.108_864) }

    /// Waits a minute, in which the console may be killed, and notes what is seen at its end.
    func live(_ minute: Int) throws {
        let end = ContinuousClock.now + .seconds(60)
        if minute % Self.minutesOfKill == 2 {
            Thread.sleep(forTimeInterval: .random(in: 5...25))
            try kill()
        }
        let rest = (end - ContinuousClock.now).nanoseconds / 1e9
        if rest > 0 { Thread.sleep(forTimeInterval: rest) }
        try note(minute)
    }

    private func kill() throws {
        console.end(SIGKILL)
        console = try Self.start(in: folder, options)
        clients.port.withLock { $0 = console.port }
        kills += 1
        last = (0, .now)
    }

    private func note(_ minute: Int) throws {
        let reading = ProcessReading(of: console.id)
        let now = ContinuousClock.now
        let seconds = (now - last.time).nanoseconds / 1e9
        let processor = (reading.processorSeconds - last.seconds) / seconds * 100
        last = (reading.processorSeconds, now)
        let disk = folder.size / 1_000_000
        mostResident = max(mostResident, reading.resident)
        mostOnDisk = max(mostOnDisk, disk)
        if reading.resident > Self.mostMemory {
            failures.append("minute \(minute): \(reading.resident) MiB resident, expected \(Self.mostMemory)")
        }
        if disk > diskLimit { failures.append("minute \(minute): \(disk) MB on disk, expected \(diskLimit)") }
        let counts = clients.counts
        table.append([
            "\(minute)", "\(reading.resident)", "\(reading.anonymous)", "\(reading.descriptors)",
            "\(reading.threads)", "\(disk) of \(diskLimit)", String(format: "%.1f", processor),
            try queryTimes().joined(separator: " / "), "\(counts.acknowledged)", "\(counts.refused)", "\(kills)",
        ])
        Report.say("  " + (table.last ?? []).joined(separator: "  "))
    }

    private func queryTimes() throws -> [String] {
        let connection = try LoopbackConnection(port: console.port)
        return try Self.queries.map { query in
            var times = ResponseTimes()
            try times.note { try connection.request("GET", LoopbackConnection.target(of: query)) }
            return times.refused == 0 ? String(format: "%.0f", times.percentile(0.5)) : "refused"
        }
    }

    /// Compares what was acknowledged with the tables and the queries. Call it when nothing is written.
    func missing() throws -> [String] {
        let file = folder.path("console.sqlite")
        let connection = try LoopbackConnection(port: console.port)
        let counts = clients.counts
        for _ in 0..<20 {
            let stored = try StoredRecords(file: file)
            let found = try ["spans", "events", "metrics"].map {
                try connection.matchedRecords("count of \($0) last 30d every total")
            }
            // Retention has removed records meanwhile.
            guard try StoredRecords(file: file) == stored else { continue }
            var wrong: [String] = []
            if stored.total + stored.removed != counts.acknowledged {
                wrong.append(
                    "\(counts.acknowledged) records acknowledged, \(stored.total) stored and \(stored.removed) removed")
            }
            if found != [stored.spans, stored.logs, stored.points] {
                wrong.append("queries find \(found) records, the tables have \(stored)")
            }
            if counts.partial > 0 { wrong.append("\(counts.partial) requests were taken in part") }
            return wrong
        }
        return ["the records could not be counted between two passes of retention"]
    }

    var row: Row {
        let counts = clients.counts
        return Row(
            name: "soak of \(options.minutes) minutes with \(kills) kills",
            figure: "\(counts.acknowledged) records acknowledged, none missing; at most \(mostResident) MiB resident "
                + "and \(mostOnDisk) MB on disk",
            target: "none missing, under \(Self.mostMemory) MiB and \(diskLimit) MB", isMet: true,
            alternative: "refused \(counts.refused), without a response \(counts.unanswered), both sent again; "
                + "\(counts.read) responses read, \(counts.notRead) of them refused")
    }
}
