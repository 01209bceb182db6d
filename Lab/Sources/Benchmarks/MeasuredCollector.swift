import AstrolabeGzip
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTestSupport
import Foundation

/// This program as a collector on a loopback socket, which decodes every request and counts the spans.
///
/// A process of its own, so that only the scheduler makes it compete with the app that it serves.
final class MeasuredCollector {
    /// The command is `benchmarks measured-collector`.
    static let word = "measured-collector"

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let port: UInt16

    init() throws {
        process.executableURL = Bundle.main.executableURL
        process.arguments = [Self.word]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchmarkFailure("expected the port of the collector; found \(line)")
        }
        self.port = port
    }

    var url: URL {
        get throws {
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw BenchmarkFailure("no port: \(port)") }
            return url
        }
    }

    /// Ends the collector and returns the number of spans that it has received.
    func end() throws -> Int {
        try input.fileHandleForWriting.close()
        let line = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let count = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchmarkFailure("expected the number of spans from the collector; found \(line)")
        }
        return count
    }

    static func run() throws {
        let spans = Locked(0)
        let server = try LoopbackServer { request in
            guard request.path == "/v1/traces" else { return .status(200) }
            guard let count = Self.spans(in: request) else { return .status(400) }
            spans.withLock { $0 += count }
            return .status(200)
        }
        say(Int(server.port))
        _ = FileHandle.standardInput.readDataToEndOfFile()
        server.kill()
        say(spans.withLock { $0 })
    }

    /// Returns the number of spans of a request of traces; `nil` if it cannot be decoded.
    static func spans(in request: HTTPRequest) -> Int? {
        let isCompressed = request.head.headers["content-encoding"] == "gzip"
        let body = isCompressed ? try? GzipCoder.decompress(request.body, limit: 1 << 24) : request.body
        guard let body, let groups = try? OTLPDecoder.traces(protobuf: body) else { return nil }
        return groups.reduce(0) { $0 + $1.scopes.reduce(0) { $0 + $1.records.count } }
    }

    private static func say(_ number: Int) {
        FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
}
