import Dispatch
import Foundation

/// Compares SDKs by their public API, and prints a table in Markdown.
///
/// Each runs in processes of its own. The time of a call is processor time of the calling thread: the median and the
/// least of rounds of 400. Between them are pauses of 10 ms, so that no queue is full. A start is the median of 11
/// processes.
@main
enum Peers {
    private static let subjects: [any Peer.Type] = [AstrolabePeer.self, OpenTelemetryPeer.self, SwiftOTelPeer.self]

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if let name = arguments.last, let subject = subjects.first(where: { $0.name == name }) {
            return arguments.first == "start" ? try start(subject) : try calls(subject)
        }
        var columns: [[String: String]] = []
        for subject in subjects {
            var column = try read("calls", subject.name)
            let starts = try (0..<11).map { _ in try read("start", subject.name) }
            for row in [startRow, memoryRow] {
                let values = starts.compactMap { $0[row].flatMap(Double.init) }.sorted()
                column[row] = values.isEmpty ? "" : String(format: "%.1f", values[values.count / 2])
            }
            columns.append(column)
        }
        print("| measure | \(subjects.map { $0.name }.joined(separator: " | ")) |")
        print("|---|\(subjects.map { _ in "---|" }.joined())")
        for row in callRows + [startRow, memoryRow] {
            print("| \(row) | \(columns.map { $0[row] ?? "" }.joined(separator: " | ")) |")
        }
    }

    private static let startRow = "start of three signals, ms"
    private static let memoryRow = "resident memory that the start adds, MB"
    private static let callRows = [
        "span with 8 attributes, ns", "the same by withSpan, ns", "event with 4 attributes, ns",
        "counter, 3 attributes, ns", "bound counter, ns",
    ]

    private static func start(_ subject: any Peer.Type) throws {
        let before = residentBytes()
        let begun = ContinuousClock.now
        let peer = try subject.init()
        let elapsed = ContinuousClock.now - begun
        withExtendedLifetime(peer) {
            print("\(startRow)\t\(elapsed / .milliseconds(1))")
            print("\(memoryRow)\t\(Double(residentBytes() - before) / 1e6)")
        }
    }

    private static func calls(_ subject: any Peer.Type) throws {
        let peer = try subject.init()
        let calls: [() -> Bool] = [
            {
                peer.span()
                return true
            },
            {
                peer.withSpan()
                return true
            },
            {
                peer.event()
                return true
            },
            {
                peer.measurement()
                return true
            }, { peer.boundMeasurement() },
        ]
        for (row, call) in zip(callRows, calls) where call() {
            var times: [Double] = []
            for _ in 0..<60 {
                let before = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
                for _ in 0..<400 { _ = call() }
                times.append(Double(nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - before) / 400)
                usleep(10_000)
            }
            // The first rounds fill caches.
            times = times.dropFirst(10).sorted()
            print(row, String(format: "%.0f, least %.0f", times[times.count / 2], times[0]), separator: "\t")
        }
        exit(0)
    }

    private static func read(_ kind: String, _ name: String) throws -> [String: String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [kind, name]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: AstrolabePeer.folder(of: process.processIdentifier))
        let pairs = text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    }

    private static func nanoseconds(of clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Linux only; 0 elsewhere.
    private static func residentBytes() -> Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }
}
