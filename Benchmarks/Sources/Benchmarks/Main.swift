import Foundation

/// Measures the rows of the design's table that exist so far, each beside its alternative in the same run.
///
///     benchmarks                      all of them
///     benchmarks journal queue        these
@main
enum Benchmarks {
    private static let sections: [(name: String, measure: @Sendable () throws -> [Row])] = [
        ("spans", SpanRows.measure),
        ("requests", CodecRows.measure),
        ("journal", JournalRows.measure),
        ("queue", QueueRows.measure),
        ("views", measureViews),
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
        do {
            try run(CommandLine.arguments.dropFirst())
        } catch {
            Report.say("\(error)")
            exit(1)
        }
    }

    private static func run(_ wanted: ArraySlice<String>) throws {
        if let unknown = wanted.first(where: { name in !sections.contains { $0.name == name } }) {
            let names = sections.map(\.name).joined(separator: ", ")
            throw BenchmarkFailure("nothing to measure is named \(unknown); there are \(names)")
        }
        var rows: [Row] = []
        for section in sections where wanted.isEmpty || wanted.contains(section.name) {
            Report.say("measuring \(section.name) ...")
            rows += try section.measure()
        }
        Report.print(rows)
    }
}
