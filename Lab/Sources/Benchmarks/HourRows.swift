import AstrolabePlatform
import AstrolabeTestSupport
import Foundation

/// An hour of a busy app: processor time, wake-ups, and bytes written and sent, by what happens to its session.
///
/// Each app is a process of its own. They run at the same time, so that a change of the machine's speed affects all of
/// them. Linux only.
enum HourRows {
    private static let titles = [
        "app", "CPU, s", "more", "wake-ups", "more", "written, kB", "more", "on the disk, kB", "requests", "sent, kB",
        "spans sent",
    ]

    static func measure(_ options: BenchmarkOptions) throws -> [Row] {
        let backend = try BusyAppBackend()
        defer { backend.end() }
        Report.say("  \(BusyApp.Kind.allCases.count) apps for \(options.minutes) minutes")
        let apps = try BusyApp.Kind.allCases.map { try App($0, minutes: options.minutes, port: backend.port) }
        var results: [BusyApp.Kind: Result] = [:]
        for app in apps {
            let use = try app.end()
            results[app.kind] = Result(use: use, stored: app.stored, received: backend.received(from: app.kind))
        }
        guard let alone = results[.alone], let recorder = results[.recorder], let everything = results[.everything],
            let failed = results[.failedRequest], let without = results[.withoutRecorder]
        else { return [] }
        Report.print(
            table: [titles] + BusyApp.Kind.allCases.compactMap { kind in results[kind]?.line(kind, beside: alone) })
        guard everything.received.spans > 0, failed.received.spans > 0,
            [alone, without, recorder].allSatisfy({ $0.received.spans == 0 })
        else { throw BenchmarkFailure("expected spans of a session that is sampled in or promoted, and of no other") }
        return [
            Row(
                name: "flight recorder in a busy app, \(options.minutes) min, more than without the SDK",
                figure: recorder.text(beside: alone),
                target: "at most the CPU, wake-ups and bytes sent of a session that is sampled in",
                isMet: recorder.use.processorSeconds <= everything.use.processorSeconds
                    && recorder.use.wakeUps <= everything.use.wakeUps
                    && recorder.received.bytes <= everything.received.bytes,
                alternative: "sampled in: \(everything.text(beside: alone)); recorder off: "
                    + without.text(beside: alone))
        ]
    }

    private struct Result {
        let use: ProcessUse
        /// Bytes of files at the end.
        let stored: Int
        let received: BusyAppBackend.Received

        func line(_ kind: BusyApp.Kind, beside alone: Result) -> [String] {
            let (own, other) = (use, alone.use)
            return [
                kind.title,
                String(format: "%.2f", own.processorSeconds),
                String(format: "%+.2f", own.processorSeconds - other.processorSeconds),
                "\(own.wakeUps)", String(format: "%+d", own.wakeUps - other.wakeUps),
                "\(own.written / 1_000)", String(format: "%+d", (own.written - other.written) / 1_000),
                "\(stored / 1_000)", "\(received.requests)", "\(received.bytes / 1_000)", "\(received.spans)",
            ]
        }

        /// The costs beyond those of the app alone.
        func text(beside alone: Result) -> String {
            String(
                format: "%+.2f s CPU, %+d wake-ups, %+.2f MB written, %.1f kB sent",
                use.processorSeconds - alone.use.processorSeconds, use.wakeUps - alone.use.wakeUps,
                Double(use.written - alone.use.written) / 1e6, Double(received.bytes) / 1e3)
        }
    }

    /// The process of a busy app. It ends with its last reference.
    private final class App {
        let kind: BusyApp.Kind
        private let process = Process()
        private let output = Pipe()
        private let folder: BenchmarkFolder

        init(_ kind: BusyApp.Kind, minutes: Int, port: UInt16) throws {
            self.kind = kind
            folder = try BenchmarkFolder()
            process.executableURL = Bundle.main.executableURL
            process.arguments = [BusyApp.word, kind.rawValue, "\(minutes)", "\(port)", folder.path("storage")]
            process.standardOutput = output
            try process.run()
        }

        deinit {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
        }

        /// Waits until the app has ended, and returns what it has used.
        func end() throws -> ProcessUse {
            let said = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw BenchmarkFailure("the app \(kind) ended with status \(process.terminationStatus)")
            }
            return try JSONDecoder().decode(ProcessUse.self, from: said)
        }

        /// Bytes of the files that it has left.
        var stored: Int { folder.size }
    }
}

/// The shop that the apps ask, and the collector that they send to, with a path for each app.
final class BusyAppBackend: Sendable {
    /// The telemetry of one app.
    struct Received: Sendable {
        var requests = 0
        /// Of bodies, as they were sent.
        var bytes = 0
        var spans = 0
    }

    struct Product: Codable {
        var id = "OLJCESPC7Z"
        var name = "National Park Foundation Explorascope"
        var text = "The National Park Foundation's Explorascope 60AZ is a manual alt-azimuth, refractor telescope."
        var price = 101.96
    }

    private let server: LoopbackServer
    private let received: Locked<[String: Received]>

    init() throws {
        let received = Locked<[String: Received]>([:])
        let products = Array(try JSONEncoder().encode(Array(repeating: Product(), count: 20)))
        let failure = Self.path(of: "failure")
        server = try LoopbackServer { request in
            if request.path == failure { return .status(503) }
            guard request.path.contains("/v1/") else { return .status(200, body: products) }
            let isTraces = request.path.hasSuffix("/traces")
            guard let spans = isTraces ? MeasuredCollector.spans(in: request) : 0 else { return .status(400) }
            let app = request.path.split(separator: "/").first.map(String.init) ?? ""
            received.withLock {
                $0[app, default: Received()].requests += 1
                $0[app, default: Received()].bytes += request.body.count
                $0[app, default: Received()].spans += spans
            }
            return .status(200)
        }
        self.received = received
    }

    var port: UInt16 { server.port }

    /// The path of a request of the app's own.
    static func path(of name: String) -> String { "/api/\(name)" }

    static func decode(_ body: [UInt8]) throws -> [Product] {
        try JSONDecoder().decode([Product].self, from: Data(body))
    }

    func received(from app: BusyApp.Kind) -> Received { received.withLock { $0[app.rawValue] ?? Received() } }

    func end() { server.kill() }
}
