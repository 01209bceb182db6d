import AstrolabeDelivery
import AstrolabePlatform
import Foundation
import ShopHistory

/// Sends a history to a console, in the requests and with the transport that the SDK uses.
struct HistorySender: Sendable {
    let settings: HistorySettings
    /// The console's address: "http://127.0.0.1:4318".
    let console: URL
    /// Headers of each request, with the key if the console requires one.
    var headers = ConsoleKey.headers

    struct Summary: Sendable {
        var sessions = 0
        var records = 0
    }

    /// Sends all sessions. The next ones are made while a batch is on its way.
    ///
    /// - Parameter progress: Called after each batch with the sessions sent so far.
    /// - Throws: `DemoFailure` if the console does not accept a batch.
    func send(progress: (Summary) -> Void = { _ in }) async throws -> Summary {
        var history = FleetHistory(settings)
        var summary = Summary()
        var batch = history.next()
        while let current = batch {
            async let sent: Void = post(current)
            batch = history.next()
            try await sent
            summary.sessions = current.sessions
            summary.records += current.records
            progress(summary)
        }
        return summary
    }

    private func post(_ batch: HistoryBatch) async throws {
        try await post(batch.traces, to: "v1/traces")
        try await post(batch.logs, to: "v1/logs")
        try await post(batch.metrics, to: "v1/metrics")
    }

    private func post(_ body: [UInt8], to path: String) async throws {
        guard !body.isEmpty else { return }
        let request = OTLPRequest(
            url: console.appendingPathComponent(path),
            headers: ["Content-Type": "application/x-protobuf"].merging(headers) { $1 }, body: body,
            timeout: .seconds(120))
        switch await URLSessionTransport().send(request) {
        case .response(200, _, _): return
        case .response(let status, _, let body):
            let reason = String(decoding: body.prefix(300), as: UTF8.self)
            throw DemoFailure("the console at \(console) did not accept the history: HTTP \(status) \(reason)")
        case .timedOut: throw DemoFailure("the console at \(console) did not respond within two minutes")
        case .unreachable(let reason):
            throw DemoFailure("no console answers at \(console): \(reason); start one with `astrolabe console`")
        }
    }
}
