import Foundation
import TelemetryQuery

/// Measures the query engine over generated spans, and DuckDB and ClickHouse over the same.
///
///     query-benchmarks                      10 million spans
///     query-benchmarks --spans 1000000
///
/// Each figure is the median of seven runs after one that is not counted. `ASTROLABE_ENGINES` is the command that
/// measures the other engines; without it, their columns are empty.
@main
enum QueryBenchmarks {
    private static let start: Int64 = 1_780_000_000_000_000_000
    private static let day: Int64 = 86_400_000_000_000

    private static let questions: [(name: String, text: String, target: String)] = [
        (
            "count, p50 and p99 by one attribute over time", "count, p50(duration), p99(duration) by http.route",
            "150 ms",
        ),
        (
            "heatmap of duration over time, filtered by an attribute",
            "heatmap(duration) where service.name = \"shop-server\"", "150 ms",
        ),
        ("count by two attributes", "count by http.route, os.version every total", ""),
        (
            "p99 by a number, filtered by a number",
            "p99(duration) by http.response.status_code where duration > 100ms", "",
        ),
        ("distinct sessions over time", "count_distinct(session.id)", ""),
        ("the top 10 of 100,000 values", "count by session.id every total limit 10", ""),
    ]

    static func main() async throws {
        let spans = try spanCount(CommandLine.arguments.dropFirst())
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("query-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var table = BenchmarkTable(title: "\(spans) spans of 20 attributes over a day")

        say("making \(spans) spans of 20 attributes ...")
        let generated = GeneratedSpans(start: start, length: day, attributes: 20, rows: spans)
        let columns = folder.appendingPathComponent("columns")
        let seconds = try await generated.writeSegments(to: columns)
        PeakMemory.reset()
        let plans = try questions.map { try plan($0.text) }
        var segments: [Segment] = []
        let cold = try await ContinuousClock().measure {
            segments = try Self.segments(in: columns)
            _ = try await QueryEngine().evaluate(plans[0], over: segments)
        }
        var own: [Double] = []
        for (question, plan) in zip(questions, plans) {
            say("asking for \(question.name) ...")
            own.append(try await median { [segments] in _ = try await QueryEngine().evaluate(plan, over: segments) })
        }
        let peak = PeakMemory.megabytes
        let size = segments.reduce(0) { $0 + $1.image.count }
        segments = []

        let others = try await OtherEngines(ProcessInfo.processInfo.environment["ASTROLABE_ENGINES"]).measure(
            generated, in: folder, step: (plans[0].window.step ?? day) / 1_000_000_000, progress: say)
        for (question, milliseconds) in zip(questions, own) {
            table.add(question.name, milliseconds, target: question.target, others: others?[question.name])
        }
        table.add("files opened and checked, and the first query", milliseconds(cold), target: "2 s")

        say("making \(spans) spans of 50 attributes ...")
        let wide = folder.appendingPathComponent("wide")
        _ = try await GeneratedSpans(start: start, length: day, attributes: 50, rows: spans).writeSegments(to: wide)
        segments = try Self.segments(in: wide)
        let all = try plan("count every total")
        let failed = Condition.leaf(Term(.field("status"), .equal, [Literal(.string("error"))]))
        PeakMemory.reset()
        let differences = try await median { [segments] in
            _ = try await QueryEngine().differences(all, selection: failed, over: segments)
        }
        table.add("what is different here: 50 attributes, all rows", differences, target: "1 s")
        let bytes =
            others?["bytes"].map { ", those of DuckDB \(Int($0[0])) and those of ClickHouse \(Int($0[1]))" } ?? ""
        print(table.text)
        print(
            """

            Columns take \(size / spans) bytes for each span\(bytes).
            \(Int(Double(spans) / seconds)) records are made and sealed in each second of a core.
            Resident memory has a peak of \(peak) while the queries of 20 attributes run over mapped files, and of
            \(PeakMemory.megabytes) with 50 attributes.
            """)
    }

    private static func segments(in folder: URL) throws -> [Segment] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.map { try Segment(path: folder.appendingPathComponent($0).path) }
    }

    private static func spanCount(_ arguments: ArraySlice<String>) throws -> Int {
        if arguments.isEmpty { return 10_000_000 }
        guard arguments.count == 2, arguments.first == "--spans", let count = arguments.last.flatMap({ Int($0) }),
            count > 0
        else { throw QueryError("Expected --spans and a number above 0.") }
        return count
    }

    private static func plan(_ text: String) throws -> QueryPlan {
        try QueryPlan(try Query(text: "\(text) last 24h"), now: start + day - 1)
    }

    /// Returns the median time in milliseconds.
    private static func median(_ body: @Sendable () async throws -> Void) async throws -> Double {
        var times: [Duration] = []
        for round in 0...7 {
            let time = try await ContinuousClock().measure { try await body() }
            if round > 0 { times.append(time) }
        }
        return milliseconds(times.sorted()[times.count / 2])
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
    }

    private static func say(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}

/// The largest resident memory of this process since the last reset, on Linux.
private enum PeakMemory {
    static func reset() { try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }

    static var megabytes: String {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kilobytes = line.flatMap({ Int($0.filter(\.isNumber)) }) else { return "an unknown size" }
        return "\(kilobytes / 1_024) MB"
    }
}
