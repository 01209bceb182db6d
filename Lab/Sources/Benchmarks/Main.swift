import Foundation

/// Measures the sections of the benchmark table, each next to its alternative in the same run.
///
///     benchmarks                      all of them
///     benchmarks journal queue        these
@main
enum Benchmarks {
    private static let sections: [(name: String, measure: @Sendable () throws -> [Row])] = [
        ("start", StartRows.measure),
        ("spans", SpanRows.measure),
        ("metrics", MetricRows.measure),
        ("requests", CodecRows.measure),
        ("journal", JournalRows.measure),
        ("queue", QueueRows.measure),
        ("bursts", BurstRows.measure),
        ("views", measureViews),
        ("trips", TripRows.measure),
        ("console", { try IngestRow.measure().map { [$0] } ?? [] }),
    ]

    private static func measureViews() -> [Row] {
        #if os(Linux)
        ViewRows.measure()
        #else
        []
        #endif
    }

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            if arguments.first == MeasuredApp.word, arguments.count == 3, let app = arguments.last {
                exit(try MeasuredApp.run(usage: CommandLine.arguments[2], app: app))
            }
            if arguments.first == MeasuredStart.word, arguments.count == 3, let folder = arguments.last {
                return try MeasuredStart.run(CommandLine.arguments[2], in: folder)
            }
            if arguments.first == MeasuredCollector.word { return try MeasuredCollector.run() }
            try run(arguments)
        } catch {
            Report.say("\(error)")
            exit(1)
        }
    }

    private static func run(_ wanted: ArraySlice<String>) throws {
        if let unknown = wanted.first(where: { name in !sections.contains { $0.name == name } }) {
            let names = sections.map(\.name).joined(separator: ", ")
            throw BenchmarkFailure("Unknown section \(unknown). Expected \(names).")
        }
        var rows: [Row] = []
        for section in sections where wanted.isEmpty || wanted.contains(section.name) {
            Report.say("measuring \(section.name) ...")
            rows += try section.measure()
        }
        Report.print(rows)
    }
}
