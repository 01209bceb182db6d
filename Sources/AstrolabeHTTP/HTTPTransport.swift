import AstrolabePlatform
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests by `URLSession`, with bounds on time and on what is kept of an answer.
///
/// Nothing is cached or stored, and cookies are neither taken nor sent.
final class HTTPTransport: Sendable {
    private let sessions = HTTPSessions()
    private let limits: HTTPLimits

    init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
    }

    /// The answer, whatever its status.
    ///
    /// - Throws: `TransportFailure`, or `CancellationError` as soon as the task is cancelled.
    func send(_ request: URLRequest) async throws -> TracedResponse {
        try Task.checkCancellation()
        var request = request
        request.timeoutInterval = min(request.timeoutInterval, limits.idleTimeout.seconds)
        let exchange = HTTPExchange(limits: limits)
        // URLSession begins its own time-outs anew whenever something happens on the connection.
        let deadline = Task { [limits] in
            try await Task.sleep(for: limits.totalTimeout)
            exchange.finish(.failure(TransportFailure.timedOut))
        }
        defer { deadline.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.onFinish { continuation.resume(with: $0) }
                sessions.start(request, for: exchange)
            }
        } onCancel: {
            exchange.finish(.failure(CancellationError()))
        }
    }
}
