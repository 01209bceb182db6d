import AstrolabePlatform

/// The result of one attempt to send a request.
public enum SendResult: Equatable, Sendable {
    /// A response with a status; `retryAfter` if the server sent one. One of zero or less counts as none.
    case response(status: Int, retryAfter: Duration?, body: [UInt8])
    /// No response within the request's timeout: the server, or the network on the way to it, is too slow.
    case timedOut
    /// No response: no network or no server.
    case unreachable(String)
}

/// The action after an attempt.
package enum SendDecision: Equatable, Sendable {
    /// The server accepted the records except `rejected` of them, which it does not identify.
    case delivered(rejected: Int, reason: String)
    /// The collector or the network failed, and the records are innocent: retry, not before `after` seconds have
    /// passed. `isServerRequested` if the server specified the time.
    case retry(after: Double, reason: String, isServerRequested: Bool)
    /// The server refused the bytes of the request: at least one of its records.
    case refused(reason: String, isTooLarge: Bool)
}

/// The rules that tell failures of the collector from failures of the records, and when to retry.
///
/// Only a response that refuses the bytes is held against the records: 400, 413, 415 and 422. Everything else is a
/// failure of the collector or of the way to it, which the records outlive. OpenTelemetry's specification ("OTLP/HTTP
/// Response") forbids to resend a request after such a status; the records go out again in a later, smaller request.
package struct RetryPolicy: Equatable, Sendable {
    /// Seconds before the first retry. Default 1.
    package var initialBackoff = 1.0
    /// Factor between two retries. Default 1.5, as in OpenTelemetry's exporters.
    package var multiplier = 1.5
    /// Maximum seconds between two retries after a response. Default 300: a server that fails for a day gets some 300
    /// requests.
    package var maximumBackoff = 300.0
    /// Maximum seconds between two retries without a response. Default 60: a network may carry again at any moment, and
    /// a device is not always told.
    package var maximumBackoffWithoutResponse = 60.0
    /// Maximum seconds that a server's `Retry-After` is respected. Default an hour. The backoff is its minimum, so that
    /// a server that asks to be called again at once gets no more requests than another.
    package var maximumRetryAfter = 3_600.0

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
        case .unreachable(let reason): return retryWithoutResponse(attempts, random, reason: reason)
        case .timedOut: return retryWithoutResponse(attempts, random, reason: "timed out")
        case .response(200..<300, _, let body):
            let (rejected, message) = partialSuccess(body)
            return .delivered(rejected: rejected, reason: message)
        case .response(let status, _, _) where [400, 413, 415, 422].contains(status):
            return .refused(reason: "HTTP \(status)", isTooLarge: status == 413)
        case .response(let status, let retryAfter, _):
            let requested = retryAfter.map { min($0.seconds, maximumRetryAfter) } ?? 0
            return .retry(
                after: max(requested, backoff(attempts, random)), reason: "HTTP \(status)",
                isServerRequested: requested > 0)
        }
    }

    private func retryWithoutResponse(_ attempts: Int, _ random: Double, reason: String) -> SendDecision {
        let wait = backoff(attempts, random, atMost: maximumBackoffWithoutResponse)
        return .retry(after: wait, reason: reason, isServerRequested: false)
    }

    /// Exponential, with full jitter over its upper half, so that a fleet does not retry in lockstep.
    ///
    /// - Parameter maximum: Default `maximumBackoff`.
    func backoff(_ attempts: Int, _ random: Double, atMost maximum: Double? = nil) -> Double {
        let maximum = maximum ?? maximumBackoff
        var ceiling = initialBackoff
        for _ in 0..<min(attempts, 64) where ceiling < maximum { ceiling *= multiplier }
        ceiling = min(ceiling, maximum)
        return ceiling / 2 + ceiling / 2 * random
    }
}
