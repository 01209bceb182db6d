import Astrolabe
import AstrolabeTelemetryModel
import AstrolabeWire
import Foundation

/// The throughput of the console: a separate process, real sockets, and responses after the spans are on disk.
enum IngestRow {
    private static let requests = 300
    private static let connections = 4

    /// Returns `nil` if `ASTROLABE_EXECUTABLE` does not name a release build of the console.
    static func measure() throws -> Row? {
        guard let path = ProcessInfo.processInfo.environment["ASTROLABE_EXECUTABLE"] else {
            Report.say("Skipping the console: ASTROLABE_EXECUTABLE does not name a release build of astrolabe.")
            return nil
        }
        let bodies = (0..<requests).map { _ in body() }
        let storing = try spansPerSecond(bodies, executable: path, signal: "traces")
        // The same requests to the wrong path: the console reads them, decodes the first bytes, and stores nothing.
        let refusing = try spansPerSecond(bodies.map { [0xFF] + $0 }, executable: path, signal: "traces")
        return Row(
            name: "console ingest, bodies of 512 spans, stored and indexed", figure: "\(Int(storing)) spans/s",
            target: "at least 50000 spans/s", isMet: storing >= 50_000,
            alternative: "read and rejected, nothing stored: \(Int(refusing)) spans/s; "
                + "\((storing / refusing * 100).rounded() / 100) of it", )
    }

    /// A request of 512 spans with unique ids.
    private static func body() -> [UInt8] {
        let sink = CollectingSink()
        let tracer = Workload.telemetry(into: sink).tracer(Workload.scope)
        for _ in 0..<Workload.batchSize { Workload.record(with: tracer) }
        return ExportRequest.build(
            resource: EncodedResource(Resource(attributes: ["service.name": "benchmark"])),
            scopes: [(EncodedScope(InstrumentationScope(name: Workload.scope)), sink.records)], )
    }

    private static func spansPerSecond(_ bodies: [[UInt8]], executable: String, signal: String) throws -> Double {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ingest-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let console = Process()
        let output = Pipe()
        console.executableURL = URL(fileURLWithPath: executable)
        console.arguments = [
            "console", "--port", "0", "--grpc-port", "0", "--database",
            folder.appendingPathComponent("spans.sqlite").path,
        ]
        console.standardOutput = output
        try console.run()
        defer {
            console.interrupt()
            console.waitUntilExit()
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).prefix { $0 != "\n" }
        guard let port = line.split(separator: ":").last?.prefix(while: \.isNumber), let port = UInt16(port) else {
            throw BenchmarkFailure("expected the address of the console; found \(line)")
        }
        let shares = (0..<connections).map { connection in
            bodies.enumerated().filter { $0.offset % connections == connection }.map(\.element)
        }
        let elapsed = try ContinuousClock().measure {
            let results = Results()
            DispatchQueue.concurrentPerform(iterations: connections) { connection in
                results.add(Result { try LoopbackConnection(port: port).post(shares[connection], signal: signal) })
            }
            try results.check()
        }
        return Double(bodies.count * Workload.batchSize) / (elapsed.nanoseconds / 1e9)
    }
}

struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The results of concurrent connections.
private final class Results: @unchecked Sendable {  // the lock orders every access to the list
    private let lock = NSLock()
    private var results: [Result<Void, any Error>] = []

    func add(_ result: Result<Void, any Error>) {
        lock.withLock { results.append(result) }
    }

    func check() throws {
        for result in lock.withLock({ results }) { try result.get() }
    }
}
