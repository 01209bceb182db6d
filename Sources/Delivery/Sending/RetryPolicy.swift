/// How a try to send a request ended.
public enum SendResult: Hashable, Sendable {
    /// An answer with a status; `retryAfter` in seconds where the server named it.
    case answered(status: Int, retryAfter: Double?, body: [UInt8])
    /// No answer: no network, no server, or none in time.
    case unreachable(String)
}

/// What to do after a try.
package enum SendDecision: Hashable, Sendable {
    /// The server took the records, but for `rejected` of them, which it names no more.
    case delivered(rejected: Int, reason: String)
    /// Try again, not before `after` seconds have passed; `isRefusal` where the server answered, and `isServersWish`
    /// where it named the time itself.
    case retry(after: Double, reason: String, isRefusal: Bool, isServersWish: Bool)
    /// The request was larger than the server takes: half of it may do.
    case tooLarge(reason: String)
    /// The records will never be taken.
    case drop(reason: String)
}

/// The OTLP specification's rules for retrying ("OTLP/HTTP Response", "OTLP/HTTP Throttling").
package struct RetryPolicy: Hashable, Sendable {
    /// Seconds before the first retry. Default 1.
    package var initialBackoff = 1.0
    /// Default 1.5, as the exporters of OpenTelemetry have it.
    package var multiplier = 1.5
    /// Default 30 seconds.
    package var maximumBackoff = 30.0

    package init() {}

    /// - Parameters:
    ///   - attempts: How many tries have failed in a row, for the backoff.
    ///   - random: A number in 0..<1 for the jitter.
    package func decide(
        _ result: SendResult, attempts: Int, random: Double, partialSuccess: ([UInt8]) -> (Int, String),
    ) -> SendDecision {
        switch result {
        case .unreachable(let reason):
            return .retry(
                after: backoff(attempts, random), reason: reason, isRefusal: false, isServersWish: false,
            )
        case .answered(200..<300, _, let body):
            let (rejected, message) = partialSuccess(body)
            return .delivered(rejected: rejected, reason: message)
        case .answered(let status, let retryAfter, _) where [429, 502, 503, 504].contains(status):
            // The only statuses that the specification calls retryable: the server is there, but not now.
            let wait = retryAfter.map { max(0, min($0, 3_600)) }
            return .retry(
                after: wait ?? backoff(attempts, random), reason: "HTTP \(status)", isRefusal: true,
                isServersWish: wait != nil,
            )
        case .answered(let status, _, _) where (300..<400).contains(status) || [407, 511].contains(status):
            // A redirect, a proxy or a network that wants a login: the server itself was not reached.
            return .retry(
                after: backoff(attempts, random), reason: "HTTP \(status)", isRefusal: false, isServersWish: false,
            )
        case .answered(413, _, _):
            return .tooLarge(reason: "HTTP 413")
        case .answered(let status, _, _):
            // Bad request, unauthorized, not found: the same bytes will be refused again.
            return .drop(reason: "HTTP \(status)")
        }
    }

    /// Exponential, with full jitter over its upper half, so that a fleet does not return in step.
    private func backoff(_ attempts: Int, _ random: Double) -> Double {
        var ceiling = initialBackoff
        for _ in 0..<min(attempts, 64) where ceiling < maximumBackoff { ceiling *= multiplier }
        ceiling = min(ceiling, maximumBackoff)
        return ceiling / 2 + ceiling / 2 * random
    }
}
