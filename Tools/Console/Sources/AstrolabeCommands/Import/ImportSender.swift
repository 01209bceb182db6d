import AstrolabeDelivery
import AstrolabeGzip
import AstrolabeWire
import Foundation
import TelemetryConsole

/// Sends the requests of a file to a console.
struct ImportSender: Sendable {
    /// The console's address: "http://127.0.0.1:4318".
    let console: URL

    /// The outcome of a request.
    struct Outcome: Sendable, Equatable {
        let number: Int
        /// Why the console rejected the request; `nil` if it stored what it could.
        var failure: String?
        /// The records that the console rejected although it stored the others.
        var rejected = 0
        var reason = ""
    }

    /// The times that a request is sent to a console that is busy.
    private static let tries = 60

    /// - Throws: `DemoFailure` if the console cannot be reached, or stays busy.
    func send(_ request: OTLPFileRequest, isJSON: Bool) async throws -> Outcome {
        let headers = [
            "Content-Type": isJSON ? "application/json" : "application/x-protobuf", "Content-Encoding": "gzip",
        ].merging(ConsoleKey.headers) { $1 }
        let message = OTLPRequest(
            url: console.appendingPathComponent(request.signal.path), headers: headers,
            body: try GzipCoder.compress(request.body), timeout: .seconds(120))
        for _ in 0..<Self.tries {
            switch await URLSessionTransport().send(message) {
            case .response(200, _, let body): return Self.outcome(request.number, body, isJSON: isJSON)
            case .response(429, let wait, _), .response(503, let wait, _):
                try await Task.sleep(for: wait ?? .seconds(1))
            case .response(let status, _, let body):
                return Outcome(
                    number: request.number, failure: Self.message(body, isJSON: isJSON) ?? "HTTP \(status)")
            case .timedOut: throw DemoFailure("the console at \(console) did not respond within two minutes")
            case .unreachable(let reason):
                throw DemoFailure("no console answers at \(console): \(reason); start one with `astrolabe console`")
            }
        }
        throw DemoFailure("the console at \(console) is still busy after \(Self.tries) tries")
    }

    private static func outcome(_ number: Int, _ body: [UInt8], isJSON: Bool) -> Outcome {
        guard isJSON else {
            let (rejected, reason) = ExportResponse.rejection(in: body)
            return Outcome(number: number, rejected: rejected, reason: reason)
        }
        let partial = try? JSONDecoder().decode(Response.self, from: Data(body)).partialSuccess
        let counts = [partial?.rejectedSpans, partial?.rejectedLogRecords, partial?.rejectedDataPoints]
        return Outcome(
            number: number, rejected: counts.compactMap { $0.flatMap { Int($0) } }.reduce(0, +),
            reason: partial?.errorMessage ?? "")
    }

    /// Reads the message of a `google.rpc.Status`.
    private static func message(_ body: [UInt8], isJSON: Bool) -> String? {
        if isJSON { return try? JSONDecoder().decode(Status.self, from: Data(body)).message }
        return body.withUnsafeBytes { bytes in
            var status = WireReader(bytes)
            while let field = status.next() {
                if case (RPCStatusField.message, .bytes(let text)) = field {
                    return String(decoding: text, as: UTF8.self)
                }
            }
            return nil
        }
    }

    private struct Status: Decodable {
        let message: String
    }

    private struct Response: Decodable {
        struct PartialSuccess: Decodable {
            let rejectedSpans: String?
            let rejectedLogRecords: String?
            let rejectedDataPoints: String?
            let errorMessage: String?
        }

        let partialSuccess: PartialSuccess?
    }
}
