import AstrolabePlatform
import Foundation

/// The requests of pages and queries while spans arrive, as a ratio to the same requests while none does.
enum LiveRows {
    private struct Subject {
        let name: String
        let target: String
        /// The greatest ratio while 10,000 spans a second arrive; `nil` if there is no target.
        var limit: Double?

        static func page(_ name: String, _ path: String) -> Subject {
            Subject(name: "page of \(name)", target: "/api/v1/\(path)")
        }

        static func query(_ text: String) -> Subject {
            Subject(name: "query: \(text)", target: LoopbackConnection.target(of: text), limit: 1.2)
        }
    }

    private static let subjects: [Subject] = [
        .page("sessions", "sessions?limit=50"),
        .page("traces", "traces?limit=50"),
        .page("logs", "logs?limit=100"),
        .page("devices", "devices?limit=50"),
        .page("metrics", "metrics"),
        .page("hangs", "health/groups?kind=hang"),
        .query("count last 48h"),
        .query("count by name last 48h every total"),
        .query("p99(duration), count by http.route last 48h"),
        .query("heatmap(duration) where service.name = \"shop-server\" last 48h"),
        .query("count by http.route, os.version last 48h every total"),
        .query("count_distinct(session.id) last 48h"),
        .query("count by session.id last 48h limit 10 every total"),
        .query("count where status = \"error\" by service.version last 48h"),
        .query("count of events by name last 48h every total"),
        .query("count of sessions by service.version last 48h every total"),
    ]
    private static let rates = [0, 1_000, 10_000]

    static func measure(_ options: BenchmarkOptions) throws -> [Row] {
        let store = try MeasuredStore(spans: options.spans)
        let rounds = options.isShort ? 5 : 21
        var medians: [[Double]] = []
        var arrived: [Double] = []
        for rate in rates {
            Report.say("  at \(rate) spans a second")
            let arrival = Arrival(port: store.port, rate: rate)
            medians.append(
                try BackgroundLoops.during({ if rate > 0 { arrival.start(on: $0) } }) {
                    // The first spans are in the columns before the first request.
                    Thread.sleep(forTimeInterval: 2)
                    return try times(store, rounds: rounds)
                })
            arrived.append(arrival.measuredRate)
        }
        let rows = subjects.enumerated().map { index, subject in
            row(subject, quiet: medians[0][index], live: medians.dropFirst().map { $0[index] }, arrived)
        }
        return try rows
            + [1, 8].map { try ingest(into: store, requests: options.isShort ? 200 : 2_000, trace: $0) }
    }

    private static func row(_ subject: Subject, quiet: Double, live: [Double], _ arrived: [Double]) -> Row {
        let ratios = live.map { $0 / quiet }
        let texts = zip(ratios, arrived.dropFirst()).map { ratio, rate in
            "\(Report.ratio(ratio)) at \(Int(rate)) spans/s"
        }
        return Row(
            name: subject.name, figure: texts.joined(separator: ", "),
            target: subject.limit.map { "at most \(Report.ratio($0)) times" } ?? "none",
            isMet: subject.limit.flatMap { limit in ratios.last.map { $0 <= limit } },
            alternative: String(format: "quiet: %.1f ms", quiet))
    }

    /// Returns the median of each subject in milliseconds. The subjects take turns.
    private static func times(_ store: MeasuredStore, rounds: Int) throws -> [Double] {
        let connection = try store.connection()
        var times = subjects.map { _ in ResponseTimes() }
        for round in 0...rounds {
            for (index, subject) in subjects.enumerated() {
                var time = ResponseTimes()
                try time.note { try connection.request("GET", subject.target) }
                guard time.refused == 0 else { throw BenchmarkFailure("\(subject.name) was refused") }
                // The first round makes what is kept.
                if round > 0 { times[index].add(time) }
            }
        }
        return times.map { $0.percentile(0.5) }
    }

    /// The rate from the first request until a query finds the spans of the last one.
    private static func ingest(into store: MeasuredStore, requests: Int, trace: Int) throws -> Row {
        Report.say("  ingest until the spans are found, traces of \(trace)")
        let query = "count where service.name = \"benchmark\" last 1h every total"
        let connection = try store.connection()
        let before = try connection.matchedRecords(query)
        let bodies = (0..<requests).map { _ in Workload.request(trace: trace) }
        let spans = requests * Workload.batchSize
        let elapsed = try ContinuousClock().measure {
            try IngestRow.send(bodies, to: store.port)
            while try connection.matchedRecords(query) < before + spans { Thread.sleep(forTimeInterval: 0.01) }
        }
        let rate = Double(spans) / (elapsed.nanoseconds / 1e9)
        return Row(
            name: "console ingest, until a query finds the spans on the disk, traces of \(trace) spans",
            figure: "\(Int(rate)) spans/s",
            target: "at least 100000 spans/s", isMet: rate >= 100_000, alternative: "none")
    }
}

/// Spans that arrive at a steady rate.
private final class Arrival: Sendable {
    /// Requests in a second.
    private static let requests = 20

    private let port: UInt16
    private let rate: Int
    private let measured = Locked(0.0)

    init(port: UInt16, rate: Int) {
        self.port = port
        self.rate = rate
    }

    /// The spans that were acknowledged in a second, when the loop has ended.
    var measuredRate: Double { measured.withLock { $0 } }

    func start(on loops: BackgroundLoops) {
        loops.start { [self] _, goesOn in
            let connection = try LoopbackConnection(port: port, from: 2)
            let start = ContinuousClock.now
            var acknowledged = 0
            var due = start
            while goesOn() {
                let spans = rate / Self.requests
                if try connection.post(Workload.request(spans: spans), signal: "traces").status == 200 {
                    acknowledged += spans
                }
                due += Duration.seconds(1) / Self.requests
                let early = (due - ContinuousClock.now).nanoseconds / 1e9
                if early > 0 { Thread.sleep(forTimeInterval: early) }
            }
            let seconds = (ContinuousClock.now - start).nanoseconds / 1e9
            measured.withLock { $0 = Double(acknowledged) / seconds }
        }
    }
}
