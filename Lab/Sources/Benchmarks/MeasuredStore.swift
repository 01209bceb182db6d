import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A console with a store of two days of `astrolabe history`.
final class MeasuredStore {
    /// A session of the history has about so many spans.
    private static let spansOfSession = 60
    /// More than any load here, half of which may come from one address.
    private static let connections = 4_000

    private let folder: BenchmarkFolder
    private let console: MeasuredProgram

    /// Makes a store of about `spans` spans, and waits until queries find them.
    init(spans: Int) throws {
        Self.raiseDescriptorLimit()
        folder = try BenchmarkFolder()
        console = try MeasuredProgram.console(
            in: folder, ["--retention-size", "100", "--connections", "\(Self.connections)"])
        Report.say("  making a store of \(spans) spans")
        let sessions = max(1, spans / Self.spansOfSession)
        try MeasuredProgram.run(["history", "--sessions", "\(sessions)", "--console", console.address])
        for dataset in ["spans", "events", "sessions"] {
            _ = try connection().matchedRecords("count of \(dataset) last 3d every total")
        }
    }

    deinit { console.end() }

    var port: UInt16 { console.port }

    func connection() throws -> LoopbackConnection { try LoopbackConnection(port: port) }

    /// This process and the console, which inherits the limit, need a descriptor for each connection.
    private static func raiseDescriptorLimit() {
        #if canImport(Glibc)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
    }
}

/// The times of some requests, in milliseconds.
struct ResponseTimes: Sendable {
    private var times: [Double] = []
    /// The responses that were not 200.
    private(set) var refused = 0

    /// Sends a request and notes how long its response took.
    mutating func note(_ request: () throws -> LoopbackConnection.Response) rethrows {
        let start = ContinuousClock.now
        let response = try request()
        times.append((ContinuousClock.now - start).nanoseconds / 1e6)
        if response.status != 200 { refused += 1 }
    }

    mutating func add(_ other: ResponseTimes) {
        times += other.times
        refused += other.refused
    }

    /// - Parameter share: 0.5 for the median.
    func percentile(_ share: Double) -> Double {
        guard !times.isEmpty else { return .infinity }
        let place = Int((Double(times.count) * share).rounded(.up)) - 1
        return times.sorted()[min(max(place, 0), times.count - 1)]
    }

    var text: String {
        String(format: "p50 %.1f ms, p99 %.1f ms", percentile(0.5), percentile(0.99))
            + (refused == 0 ? "" : ", \(refused) of \(times.count) refused")
    }
}
