import AstrolabePlatform

/// The result of one attempt to send a request.
public enum SendResult: Hashable, Sendable {
    /// A response with a status; `retryAfter` if the server sent one.
    case response(status: Int, retryAfter: Duration?, body: [UInt8])
    /// No response: no network, no server, or a timeout.
    case unreachable(String)
}

/// What to do after an attempt.
package enum SendDecision: Hashable, Sendable {
    /// The server accepted the records except `rejected` of them, which it does not identify.
    case delivered(rejected: Int, reason: String)
    /// Retry, not before `after` seconds have passed. `countsAsFailure` if the server responded; `isServerRequested` if
    /// the server specified the time.
    case retry(after: Double, reason: String, countsAsFailure: Bool, isServerRequested: Bool)
    /// The request was too large for the server: half of it may succeed.
    case tooLarge(reason: String)
    /// The server will never accept the records.
    case drop(reason: String)
}

/// The OTLP specification's rules for retrying ("OTLP/HTTP Response", "OTLP/HTTP Throttling").
package struct RetryPolicy: Hashable, Sendable {
    /// Seconds before the first retry. Default 1.
    package var initialBackoff = 1.0
    /// Factor between two retries. Default 1.5, as in OpenTelemetry's exporters.
    package var multiplier = 1.5
    /// Maximum seconds between two retries. Default 30.
    package var maximumBackoff = 30.0

    package init() {}

    /// Decides what follows from the result of an attempt.
    ///
    /// - Parameters:
    ///   - attempts: How many attempts have failed in a row, for the backoff.
    ///   - random: A number in 0..<1 for the jitter.
    ///   - partialSuccess: Reads the number of rejected records and the error message from a response body.
    package func decide(
        _ result: SendResult, attempts: Int, random: Double, partialSuccess: ([UInt8]) -> (Int, String),
    ) -> SendDecision {
        switch result {
        case .unreachable(let reason):
            return .retry(
                after: backoff(attempts, random), reason: reason, countsAsFailure: false, isServerRequested: false,
            )
        case .response(200..<300, _, let body):
            let (rejected, message) = partialSuccess(body)
            return .delivered(rejected: rejected, reason: message)
        case .response(let status, let retryAfter, _) where [429, 502, 503, 504].contains(status):
            // The only statuses that the specification calls retryable: the server is temporarily unavailable.
            let wait = retryAfter.map { max(0, min($0.seconds, 3_600)) }
            return .retry(
                after: wait ?? backoff(attempts, random), reason: "HTTP \(status)", countsAsFailure: true,
                isServerRequested: wait != nil,
            )
        case .response(let status, _, _) where (300..<400).contains(status) || [407, 511].contains(status):
            // A redirect, a proxy, or a network that requires a login: the request did not reach the server.
            return .retry(
                after: backoff(attempts, random), reason: "HTTP \(status)", countsAsFailure: false,
                isServerRequested: false,
            )
        case .response(413, _, _):
            return .tooLarge(reason: "HTTP 413")
        case .response(let status, _, _):
            // Bad request, unauthorized, not found: the server would reject the same bytes again.
            return .drop(reason: "HTTP \(status)")
        }
    }

    /// Exponential, with full jitter over its upper half, so that a fleet does not retry in lockstep.
    private func backoff(_ attempts: Int, _ random: Double) -> Double {
        var ceiling = initialBackoff
        for _ in 0..<min(attempts, 64) where ceiling < maximumBackoff { ceiling *= multiplier }
        ceiling = min(ceiling, maximumBackoff)
        return ceiling / 2 + ceiling / 2 * random
    }
}
