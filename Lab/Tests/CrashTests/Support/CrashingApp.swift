import AstrolabeGzip
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

/// One installation of the fixture's app, over runs that end as a test asks, and the collector that it reports to.
final class CrashingApp {
    let folder = TemporaryDirectory()
    /// The installed program.
    var executable: URL
    private let began = Date()
    private let server: LoopbackServer
    private let inbox: Inbox

    init() throws {
        let inbox = Inbox()
        executable = try BuiltProducts.executable(named: "HealthFixture")
        server = try LoopbackServer { inbox.take($0) }
        self.inbox = inbox
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    }

    /// Seconds since there was none of its processes.
    var lifetime: Double { Date().timeIntervalSince(began) }

    deinit {
        server.kill()
    }

    /// Runs the app until it ends; gives how.
    @discardableResult
    func run(
        _ ending: String, environment: [String: String] = [:], on system: PretendedSystem? = nil,
    ) throws -> Process {
        let process = try start(ending, environment: environment, on: system)
        process.waitUntilExit()
        return process
    }

    /// Starts the app without waiting for it.
    func start(
        _ ending: String, environment: [String: String] = [:], on system: PretendedSystem? = nil,
    ) throws -> Process {
        let process = Process()
        var command = [executable.path, ending, folder.path, String(server.port)]
        if let system { command = try system.command(command, in: folder.path) }
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        // The Swift runtime's own handler takes its time.
        let settings = ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
        process.environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Has a run in order send what there is, and gives all events that have come so far.
    func report(
        environment: [String: String] = [:], on system: PretendedSystem? = nil,
    ) throws -> [LogRecordData] {
        try run("report", environment: environment, on: system)
        return events
    }

    /// Called with the events of each request before it is taken; false takes nothing and resets the connection.
    func takesRequests(_ isTaken: @escaping @Sendable ([LogRecordData]) -> Bool) {
        inbox.isTaken.withLock { $0 = isTaken }
    }

    /// The events that have come so far.
    var events: [LogRecordData] { inbox.records.withLock { $0 } }

    /// The spans that have come so far, with their scopes.
    var spans: [(scope: InstrumentationScope, span: SpanData)] { inbox.spans.withLock { $0 } }

    /// The bodies of all requests so far.
    var bodies: [[UInt8]] { inbox.bodies.withLock { $0 } }

    /// The files below the folder that contain a text, the notes that the app leaves for the test among them.
    func files(with text: String) -> [String] {
        folder.files.filter { path in
            (try? Data(contentsOf: URL(fileURLWithPath: path)))?.firstRange(of: Data(text.utf8)) != nil
        }
    }

    /// The note that the app has left for the test.
    func note(_ name: String) -> String {
        (try? String(contentsOfFile: folder.path + "/note-" + name, encoding: .utf8)) ?? ""
    }

    /// A hang that the app has really done, in seconds. It began at a time since 1970, and the main thread may not have
    /// run before, if no processor was free.
    struct TrueHang {
        var began: Double
        var duration: Double
        var late: Double
        /// By how much another thread of the app was late meanwhile, because the machine was busy or had stopped it.
        var disturbance: Double

        /// By how much a duration is wrong.
        func error(of told: Double) -> Double { max(duration - told, told - duration - late, 0) }

        /// Returns true if a reported hang is this one: they have a fifth of a second in common. On a busy machine the
        /// main thread hangs at other times, too.
        func isTold(by hang: LogRecordData) -> Bool {
            let toldBegin = Double(hang.timeUnixNano) / 1e9
            let toldEnd = toldBegin + (hang["astrolabe.hang.duration"]?.doubleValue ?? 0)
            return min(toldEnd, began + duration) - max(toldBegin, began) > 0.2
        }
    }

    var trueHangs: [TrueHang] {
        note("hangs").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").compactMap { Double($0) }
            guard words.count == 4 else { return nil }
            return TrueHang(
                began: words[0] / 1e9, duration: words[1] / 1e9, late: words[2] / 1e9, disturbance: words[3] / 1e9)
        }
    }

    /// Files of runs that have not been reported.
    var runFiles: [String] { folder.files.filter { $0.hasSuffix(".run") } }
}

/// The log records that the collector has taken.
private final class Inbox: Sendable {
    let records = Locked<[LogRecordData]>([])
    let bodies = Locked<[[UInt8]]>([])
    let spans = Locked<[(scope: InstrumentationScope, span: SpanData)]>([])
    let isTaken = Locked<@Sendable ([LogRecordData]) -> Bool>({ _ in true })

    func take(_ request: HTTPRequest) -> LoopbackServer.Answer {
        let isCompressed = request.head.headers["content-encoding"] == "gzip"
        guard let body = isCompressed ? try? GzipCoder.decompress(request.body, limit: 1 << 24) : request.body else {
            return .status(400)
        }
        bodies.withLock { $0.append(body) }
        var newRecords: [LogRecordData] = []
        var newSpans: [(scope: InstrumentationScope, span: SpanData)] = []
        switch request.path {
        case "/v1/logs":
            guard let groups = try? OTLPDecoder.logs(protobuf: body) else { return .status(400) }
            newRecords = groups.flatMap { $0.scopes.flatMap(\.records) }
        case "/v1/traces":
            guard let groups = try? OTLPDecoder.traces(protobuf: body) else { return .status(400) }
            newSpans = groups.flatMap { $0.scopes.flatMap { scope in scope.records.map { (scope.scope, $0) } } }
        default: break
        }
        guard isTaken.withLock({ $0 })(newRecords) else { return .nothing }
        records.withLock { $0 += newRecords }
        spans.withLock { $0 += newSpans }
        return .status(200)
    }
}

extension [LogRecordData] {
    func named(_ name: String) -> [LogRecordData] { filter { $0.eventName == name } }

    /// The report of a true hang. Delivery is at least once, so it may be there twice.
    func hang(_ truth: CrashingApp.TrueHang) throws -> LogRecordData {
        let hangs = named(EventName.hang).filter { truth.isTold(by: $0) }
        try #require(Set(hangs.map { $0.text(AttributeKey.logRecordUID) }).count == 1)
        return try #require(hangs.first)
    }
}

extension LogRecordData {
    subscript(key: String) -> AttributeValue? { attributes[key] }

    func text(_ key: String) -> String { attributes[key]?.stringValue ?? "" }
}

extension AttributeValue {
    var list: [AttributeValue] { if case .array(let values) = self { values } else { [] } }

    subscript(key: String) -> AttributeValue? { if case .map(let map) = self { map[key] } else { nil } }
}
