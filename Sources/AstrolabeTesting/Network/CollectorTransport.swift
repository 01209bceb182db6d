import Astrolabe
import AstrolabePlatform
import Foundation

/// Carries requests over the simulated network to the collector.
struct CollectorTransport: OTLPTransport {
    let collector: TelemetryCollector

    func send(_ request: OTLPRequest) async -> SendResult {
        let sent = NetworkRequest(path: request.url.path, headers: request.headers, byteCount: request.body.count)
        guard let answer = try? await collector.network.pass(sent, timeout: request.timeout) else {
            return .unreachable("cancelled")
        }
        switch answer {
        case .unreachable: return .unreachable("the simulated network is down")
        case .timedOut: return .timedOut
        case .refused(let status, let retryAfter):
            return .response(status: status, retryAfter: retryAfter, body: [])
        case .taken: return take(request) { .response(status: 200, retryAfter: nil, body: []) }
        case .answerLost: return take(request) { .unreachable("the answer was lost") }
        case .takenBut(let rejected, let reason):
            return take(request, exceptLast: rejected) {
                .response(status: 200, retryAfter: nil, body: Self.partialSuccess(rejected: rejected, reason: reason))
            }
        }
    }

    private func take(
        _ request: OTLPRequest, exceptLast count: Int = 0, then answer: () -> SendResult,
    ) -> SendResult {
        let isTaken = collector.take(
            request.body, path: request.url.path, isCompressed: request.headers["Content-Encoding"] == "gzip",
            exceptLast: max(count, 0),
        )
        return isTaken ? answer() : .response(status: 400, retryAfter: nil, body: [])
    }

    /// `Export…ServiceResponse { partial_success 1: { rejected 1, error_message 2 } }`, the same for all three signals.
    static func partialSuccess(rejected: Int, reason: String) -> [UInt8] {
        let reason = Array(reason.utf8.prefix(1_024))
        let partial = [0x08] + varint(rejected) + [0x12] + varint(reason.count) + reason
        return [0x0A] + varint(partial.count) + partial
    }

    private static func varint(_ number: Int) -> [UInt8] {
        var rest = UInt64(max(number, 0))
        var bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
