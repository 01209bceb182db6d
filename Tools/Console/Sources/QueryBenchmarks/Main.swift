import Foundation
import TelemetryQuery

/// Measures the query engine over generated spans.
///
///     query-benchmarks                      10 million spans
///     query-benchmarks --spans 1000000
///
/// Each figure is the median of seven runs after one that is not counted.
@main
enum QueryBenchmarks {
    private static let start: Int64 = 1_780_000_000_000_000_000
    private static let day: Int64 = 86_400_000_000_000

    static func main() async throws {
        let spans = try spanCount(CommandLine.arguments.dropFirst())
        var rows: [[String]] = [["what, \(spans) spans", "measured", "target"]]
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("query-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        say("generating spans of 20 attributes ...")
        var (segments, seconds) = try await GeneratedSpans(start: start, length: day, attributes: 20)
            .segments(rows: spans)
        let bytes = segments.reduce(0) { $0 + $1.image.count }
        rows.append(["made and sealed, records for each second and core", "\(Int(Double(spans) / seconds))", ""])
        rows.append(["bytes of columns for each span", "\(bytes / spans)", ""])
        for (name, text, target) in [
            (
                "count, p50, p99 by one attribute over time", "count, p50(duration), p99(duration) by http.route",
                "150 ms",
            ),
            ("heatmap of duration, filtered", "heatmap(duration) where service.name = \"shop-server\"", "150 ms"),
            ("count by two attributes", "count by http.route, os.version every total", ""),
            (
                "p99 by a number, filtered by a number",
                "p99(duration) by http.response.status_code where duration > 100ms", "",
            ),
            ("count_distinct of sessions over time", "count_distinct(session.id)", ""),
            ("count by an attribute of 100,000 values", "count by session.id every total limit 10", ""),
        ] {
            let plan = try plan(text)
            let segments = segments
            rows.append([
                name, try await median { _ = try await QueryEngine().evaluate(plan, over: segments) }, target,
            ])
        }

        say("writing and mapping files ...")
        for (index, segment) in segments.enumerated() {
            try segment.write(to: folder.appendingPathComponent("\(index)").path)
        }
        let count = segments.count
        segments = []
        let coldPlan = try plan("count, p50(duration), p99(duration) by http.route")
        let clock = ContinuousClock()
        let cold = try await clock.measure {
            let mapped = try (0..<count).map { try Segment(path: folder.appendingPathComponent("\($0)").path) }
            _ = try await QueryEngine().evaluate(coldPlan, over: mapped)
        }
        rows.append(["files opened and checked, and the first query (in the page cache)", text(cold), "2 s"])

        say("generating spans of 50 attributes ...")
        let wide = try await GeneratedSpans(start: start, length: day, attributes: 50).segments(rows: spans).segments
        let all = try plan("count every total")
        let failed = Condition.leaf(Term(.field("status"), .equal, [Literal(.string("error"))]))
        rows.append([
            "what is different here: 50 attributes, all rows",
            try await median { _ = try await QueryEngine().differences(all, selection: failed, over: wide) }, "1 s",
        ])
        print(rows)
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

    private static func median(_ body: @Sendable () async throws -> Void) async throws -> String {
        var times: [Duration] = []
        for round in 0...7 {
            let time = try await ContinuousClock().measure { try await body() }
            if round > 0 { times.append(time) }
        }
        return text(times.sorted()[times.count / 2])
    }

    private static func text(_ duration: Duration) -> String {
        let milliseconds = Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
        return String(format: milliseconds < 10 ? "%.1f ms" : "%.0f ms", milliseconds)
    }

    private static func print(_ rows: [[String]]) {
        for (index, row) in rows.enumerated() {
            Swift.print("| \(row.joined(separator: " | ")) |")
            if index == 0 { Swift.print("|---|---|---|") }
        }
    }

    private static func say(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
