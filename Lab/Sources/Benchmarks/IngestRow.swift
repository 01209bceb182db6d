import AstrolabePlatform
import Foundation

/// The throughput of the console: a separate process, real sockets, and responses after the spans are on disk.
enum IngestRow {
    private static let requests = 300
    private static let connections = 4

    static func measure() throws -> Row {
        let bodies = (0..<requests).map { _ in Workload.request() }
        let storing = try spansPerSecond(bodies)
        // The same requests, damaged: the console reads them, decodes the first bytes, and stores nothing.
        let refusing = try spansPerSecond(bodies.map { [0xFF] + $0 })
        return Row(
            name: "console ingest, bodies of 512 spans, stored and indexed", figure: "\(Int(storing)) spans/s",
            target: "at least 50000 spans/s", isMet: storing >= 50_000,
            alternative: "read and rejected, nothing stored: \(Int(refusing)) spans/s; "
                + "\((storing / refusing * 100).rounded() / 100) of it")
    }

    private static func spansPerSecond(_ bodies: [[UInt8]]) throws -> Double {
        let folder = try BenchmarkFolder()
        let console = try MeasuredProgram.console(in: folder)
        defer { console.end() }
        let elapsed = try ContinuousClock().measure {
            try send(bodies, to: console.port)
        }
        return Double(bodies.count * Workload.batchSize) / (elapsed.nanoseconds / 1e9)
    }

    /// Sends the bodies over several connections at once, and waits for all responses.
    static func send(_ bodies: [[UInt8]], to port: UInt16) throws {
        let shares = (0..<connections).map { connection in
            bodies.enumerated().filter { $0.offset % connections == connection }.map(\.element)
        }
        let results = Locked<[Result<Void, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: connections) { number in
            let result = Result<Void, any Error> {
                let connection = try LoopbackConnection(port: port)
                for body in shares[number] { _ = try connection.post(body, signal: "traces") }
            }
            results.withLock { $0.append(result) }
        }
        for result in results.withLock({ $0 }) { try result.get() }
    }
}

struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
