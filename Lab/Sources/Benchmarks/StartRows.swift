import Astrolabe
import AstrolabeRecording
import Foundation

/// The time that `Telemetry.start` blocks the main thread, measured in a new process each time.
enum StartRows {
    /// The limit in milliseconds.
    private static let limit = 2.0

    static func measure(_ options: BenchmarkOptions) throws -> [Row] {
        var times: [MeasuredStart.Kind: [Double]] = [:]
        // Interleaved, so that a change of the machine's speed affects all of them.
        for _ in 0..<(options.isShort ? 5 : 21) {
            for kind in MeasuredStart.Kind.allCases where kind != .crash {
                times[kind, default: []].append(try milliseconds(of: kind))
            }
        }
        let other = median(times[.database])
        return [
            row("SDK start on the main thread, first launch", median(times[.first]), beside: other),
            row("the same, after a crash that left 2,000 records", median(times[.afterCrash]), beside: other),
            part("the same, app health off", times[.withoutHealth], of: times[.first]),
            part("the same, as a server: also without sessions and device", times[.server], of: times[.first]),
            part("the same, a second time in the same process", times[.second], of: times[.first]),
        ]
    }

    /// A start that leaves something out, which shows what that costs.
    private static func part(_ name: String, _ times: [Double]?, of whole: [Double]?) -> Row {
        let time = median(times)
        return Row(
            name: name, figure: String(format: "%.2f ms", time), target: "none", isMet: nil,
            alternative: String(format: "%.2f ms less than the first row", median(whole) - time))
    }

    private static func row(_ name: String, _ time: Double, beside other: Double) -> Row {
        Row(
            name: name, figure: String(format: "%.2f ms", time), target: String(format: "under %.0f ms", limit),
            isMet: time < limit,
            alternative: String(
                format: "opening a database and creating its tables: %.2f ms; %@ as long", other,
                Report.times(other / time)))
    }

    private static func milliseconds(of kind: MeasuredStart.Kind) throws -> Double {
        let folder = try BenchmarkFolder()
        if kind == .afterCrash { _ = try run(.crash, in: folder) }
        let output = try run(kind, in: folder)
        guard let time = Double(output) else {
            throw BenchmarkFailure("expected the duration of a start; found \(output)")
        }
        return time
    }

    private static func run(_ kind: MeasuredStart.Kind, in folder: BenchmarkFolder) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [MeasuredStart.word, kind.rawValue, folder.path("storage")]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return said.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func median(_ values: [Double]?) -> Double {
        let sorted = (values ?? []).sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}

/// This program as an app that starts and prints the duration.
enum MeasuredStart {
    /// The command is `benchmarks measured-start KIND FOLDER`.
    static let word = "measured-start"

    enum Kind: String, CaseIterable {
        case first, afterCrash, database, withoutHealth, server
        /// After a start and a shutdown: what the runtime does at the first use of a type is done.
        case second
        /// Leaves 2,000 spans and a crash report in the folder.
        case crash
    }

    static func run(_ kind: String, in folder: String) throws {
        switch Kind(rawValue: kind) {
        case .first, .afterCrash: say(ContinuousClock().measure { _ = start(in: folder) })
        case .database:
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            say(try ContinuousClock().measure { _ = try InsertPerEventQueue(path: folder + "/queue.db") })
        case .withoutHealth: say(ContinuousClock().measure { _ = start(in: folder) { $0.health.isEnabled = false } })
        case .server: say(ContinuousClock().measure { _ = start(in: folder) { $0.isServer = true } })
        case .second:
            let (first, done) = (start(in: folder + "-first"), DispatchSemaphore(value: 0))
            Task.detached {
                await first.shutdown(sending: false)
                done.signal()
            }
            done.wait()
            say(ContinuousClock().measure { _ = start(in: folder) })
        case .crash:
            let tracer = start(in: folder).tracer(Workload.scope)
            for _ in 0..<2_000 { Workload.record(with: tracer) }
            abort()
        case nil: throw BenchmarkFailure("Unknown start \(kind)")
        }
    }

    private static func start(
        in folder: String, _ change: (inout TelemetryConfiguration) -> Void = { _ in },
    ) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "benchmark")
        configuration.storageDirectory = URL(fileURLWithPath: folder, isDirectory: true)
        configuration.sampler = AlwaysOnSampler()
        configuration.endpoint = URL(string: "http://localhost:4318").map { OTLPEndpoint(url: $0) }
        // Otherwise the start after the crash waits until that is sent, which is a matter of the network.
        configuration.health.launchCrashTimeout = .zero
        change(&configuration)
        return Telemetry.start(configuration)
    }

    private static func say(_ time: Duration) { print(String(format: "%.4f", time.nanoseconds / 1e6)) }
}
