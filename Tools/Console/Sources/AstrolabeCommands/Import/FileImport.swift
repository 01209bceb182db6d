import Foundation
import TelemetryConsole

/// Sends one file to a console, and says what became of it.
struct FileImport: Sendable {
    let path: String
    let signal: Signal?
    let sender: ImportSender

    /// The outcome of the requests of a file.
    struct Report: Sendable, Equatable {
        var requests = 0
        /// The lines or messages that are no requests, or that the console rejected.
        var failures = 0
        var rejectedRecords = 0

        var isComplete: Bool { failures == 0 && rejectedRecords == 0 }
    }

    /// The requests on their way at the same time. The console stores them together.
    private static let requestsAtOnce = 4
    private static let chunk = 1 << 20
    /// The failures that are printed for a file. All are counted.
    private static let printedFailures = 20

    /// - Throws: `DemoFailure` if the file cannot be read, or the console cannot be reached.
    func run() async throws -> Report {
        guard let file = FileHandle(forReadingAtPath: path) else { throw DemoFailure("cannot read \(path)") }
        defer { try? file.close() }
        let size = max((try? file.seekToEnd()) ?? 0, 1)
        try file.seek(toOffset: 0)
        var report = Report()
        var reader = OTLPFileReader(signal: signal)
        do {
            try await withThrowingTaskGroup(of: ImportSender.Outcome.self) { group in
                var underWay = 0
                var shown: UInt64 = 0
                while true {
                    let bytes = try file.read(upToCount: Self.chunk).map { [UInt8]($0) } ?? []
                    for element in bytes.isEmpty ? reader.end() : reader.receive(bytes) {
                        switch element {
                        case .failure(let error): note(error, in: &report)
                        case .success(let request):
                            if underWay == Self.requestsAtOnce, let outcome = try await group.next() {
                                note(outcome, in: &report)
                                underWay -= 1
                            }
                            underWay += 1
                            group.addTask { try await sender.send(request, isJSON: signal == nil) }
                        }
                    }
                    if bytes.isEmpty { break }
                    let share = ((try? file.offset()) ?? 0) * 10 / size
                    if share > shown, share < 10 { sayError("\(path): \(share * 10) %, \(report.requests) requests") }
                    shown = share
                }
                for try await outcome in group { note(outcome, in: &report) }
            }
        } catch {
            sayError("\(path): stopped; \(summary(report))")
            throw error
        }
        say("\(path): \(summary(report))")
        return report
    }

    private func summary(_ report: Report) -> String {
        "imported \(report.requests) requests; "
            + "\(report.failures) \(unit)s and \(report.rejectedRecords) records were rejected"
    }

    private var unit: String { signal == nil ? "line" : "message" }

    private func note(_ outcome: ImportSender.Outcome, in report: inout Report) {
        if let failure = outcome.failure {
            return note(OTLPFileError(number: outcome.number, message: failure), in: &report)
        }
        report.requests += 1
        guard outcome.rejected > 0 else { return }
        report.rejectedRecords += outcome.rejected
        sayError("\(path):\(outcome.number): \(outcome.rejected) records were rejected: \(outcome.reason)")
    }

    private func note(_ error: OTLPFileError, in report: inout Report) {
        report.failures += 1
        if report.failures <= Self.printedFailures { sayError("\(path):\(error.number): \(error.message)") }
        if report.failures == Self.printedFailures {
            sayError("\(path): further failures are counted and not printed")
        }
    }
}
