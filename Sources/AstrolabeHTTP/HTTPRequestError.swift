import Astrolabe
import AstrolabeRecording
public import Foundation

/// Why a request did not bring a success.
///
///     do {
///         order = try await client.send(request, template: "/api/orders")
///     } catch let error as HTTPRequestError where error.status == 409 {
///         …                           // "HTTP 409 Conflict - Response: {"error":"the cart has changed"}"
///     }
///
/// The description holds the beginning of the answer's body without card numbers, e-mail addresses and other secrets,
/// so that it may be logged. The whole body is in ``answer`` and may not.
public struct HTTPRequestError: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Reason: Hashable, Sendable {
        /// An answer that is no success: a 3xx to another host, a 4xx, a 5xx.
        case answer(TracedResponse)
        /// No answer, or none that could be kept.
        case transport(TransportFailure)
    }

    /// Method and template, as the span is named: "GET /api/products/{id}".
    package let request: String
    /// The kind of failure.
    public let reason: Reason
    private let text: String

    /// - Parameter redact: Takes out of the description what the built-in rules cannot know; they come afterwards.
    package init(request: String, reason: Reason, redact: (String) -> String = { $0 }) {
        self.request = request
        self.reason = reason
        text =
            switch reason {
            case .answer(let answer):
                "HTTP \(answer.status) \(HTTPStatus.reasonPhrase(answer.status)) - Response: "
                    + answer.excerpt { Redactor().redacted(redact($0)) }
            case .transport(let failure): "\(request) failed: \(failure.summary)"
            }
    }

    /// The response, if there is one.
    public var answer: TracedResponse? {
        if case .answer(let answer) = reason { answer } else { nil }
    }

    /// The status code of the response, if there is one.
    public var status: Int? { answer?.status }

    /// The span's `error.type`: "504", "timeout".
    public var errorType: String {
        switch reason {
        case .answer(let answer): String(answer.status)
        case .transport(let failure): failure.rawValue
        }
    }
}

extension HTTPRequestError: LocalizedError, CustomStringConvertible {
    public var description: String { text }

    public var errorDescription: String? { text }
}
