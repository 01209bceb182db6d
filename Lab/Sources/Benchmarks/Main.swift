import Foundation

/// Measures the sections of the benchmark table, each next to its alternative in the same run.
///
///     benchmarks                      all but those that take an hour
///     benchmarks journal queue        these
@main
enum Benchmarks {
    private struct Section {
        let name: String
        let subject: String
        /// True if it runs only if it is named.
        var isLong = false
        let measure: @Sendable (BenchmarkOptions) throws -> [Row]
    }

    private static let sections: [Section] = [
        Section(name: "start", subject: "the start of the SDK", measure: StartRows.measure),
        Section(name: "spans", subject: "a span, its redaction and its processors") { _ in SpanRows.measure() },
        Section(name: "events", subject: "an event and its processors") { _ in EventRows.measure() },
        Section(name: "metrics", subject: "a measurement, with views and exemplars") { _ in MetricRows.measure() },
        Section(name: "requests", subject: "requests built and read") { _ in try CodecRows.measure() },
        Section(name: "journal", subject: "the journal on the disk") { _ in try JournalRows.measure() },
        Section(name: "queue", subject: "the offline queue") { _ in try QueueRows.measure() },
        Section(name: "bursts", subject: "spans without a pause, delivered", measure: BurstRows.measure),
        Section(name: "views", subject: "traced screens and long lists", measure: measureViews),
        Section(name: "trips", subject: "health and replay during a shopping trip", measure: TripRows.measure),
        Section(name: "console", subject: "ingest of the console") { _ in [try IngestRow.measure()] },
        Section(
            name: "fairness", subject: "a query, an export and a page beside bad neighbours",
            measure: FairnessRows.measure),
        Section(
            name: "live", subject: "pages and queries while spans arrive, and ingest until they are found",
            measure: LiveRows.measure),
        Section(
            name: "hour", subject: "a busy app with and without the flight recorder for an hour", isLong: true,
            measure: HourRows.measure),
        Section(
            name: "soak", subject: "a console under load and kills for an hour", isLong: true,
            measure: SoakRows.measure),
    ]

    private static func measureViews(_ options: BenchmarkOptions) throws -> [Row] {
        #if os(Linux)
        ViewRows.measure(options) + ListRows.measure()
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
            if arguments.first == BusyApp.word { try BusyApp.run(Array(arguments.dropFirst())) }
            if arguments.first == MeasuredCollector.word { return try MeasuredCollector.run() }
            guard try run(BenchmarkOptions(arguments)) else { exit(1) }
        } catch {
            Report.say("\(error)")
            exit(1)
        }
    }

    /// - Returns: False if a section failed. Its row says why.
    private static func run(_ options: BenchmarkOptions) throws -> Bool {
        if let unknown = options.sections.first(where: { name in !sections.contains { $0.name == name } }) {
            let names = sections.map(\.name).joined(separator: ", ")
            throw BenchmarkFailure("Unknown section \(unknown). Expected \(names).")
        }
        if options.lists {
            for section in sections {
                print(section.name.padding(toLength: 10, withPad: " ", startingAt: 0) + section.subject)
            }
            return true
        }
        let wanted = sections.filter {
            options.sections.isEmpty ? !$0.isLong : options.sections.contains($0.name)
        }
        var rows: [Row] = []
        var failed: [String] = []
        for section in wanted {
            Report.say("measuring \(section.name) ...")
            do {
                rows += try section.measure(options)
            } catch {
                rows.append(Row(failure: error, of: section.name))
                failed.append(section.name)
            }
        }
        Report.print(rows)
        if !failed.isEmpty { Report.say("failed: \(failed.joined(separator: ", "))") }
        return failed.isEmpty
    }
}
