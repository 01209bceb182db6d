public import Astrolabe
import AstrolabeSemantics

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends HTTP requests, each a client span that the backend's spans go on from.
///
///     let client = TracedHTTPClient(telemetry, allowedHosts: ["api.example.com"])
///     let answer = try await client.send(URLRequest(url: url), template: "/api/products/{id}")
///     let product = try JSONDecoder().decode(Product.self, from: answer.body)
///
/// Trace context, baggage and identity go to the allowed hosts alone, see ``HTTPTracing``. Nothing is swizzled, cached
/// or stored, and there are no cookies. Redirects are followed for `GET` and `HEAD` at the same scheme, host and port;
/// any other is itself the answer.
///
/// A `GET` or `HEAD` whose connection was lost is sent once more, at once, as a span of its own: the server may have
/// closed an idle connection. Everything else is the app's to try again.
public final class TracedHTTPClient: Sendable {
    private let tracing: HTTPTracing
    private let transport: HTTPTransport

    /// Creates a client that traces its requests.
    public init(_ tracing: HTTPTracing, limits: HTTPLimits = HTTPLimits()) {
        self.tracing = tracing
        transport = HTTPTransport(limits: limits)
    }

    /// - Parameter allowedHosts: Who may learn of trace and session: the app's own backends.
    public convenience init(
        _ telemetry: Telemetry, allowedHosts: AllowedHosts, limits: HTTPLimits = HTTPLimits(),
    ) {
        self.init(HTTPTracing(telemetry, allowedHosts: allowedHosts), limits: limits)
    }

    /// Sends the request and gives its answer, a success; a 204 is one with an empty body.
    ///
    /// - Parameters:
    ///   - template: The path with its variable parts in braces: "/api/products/{id}". It names the span, so without it
    ///     all requests of a method have one name.
    ///   - redact: Takes out of an error's description what only the app knows to be secret. Card numbers, e-mail
    ///     addresses and the like are taken out in any case.
    /// - Throws: ``HTTPRequestError`` for an answer that is no success and for none, or `CancellationError`.
    public func send(
        _ request: URLRequest, template: String? = nil, redact: @escaping @Sendable (String) -> String = { $0 },
    ) async throws -> TracedResponse {
        do {
            return try await attempt(request, template: template, resendCount: 0, redact: redact)
        } catch let error as HTTPRequestError
            where error.reason == .transport(.connectionLost) && Self.asksOnly(request)
        {
            return try await attempt(request, template: template, resendCount: 1, redact: redact)
        }
    }

    private static func asksOnly(_ request: URLRequest) -> Bool {
        ["GET", "HEAD"].contains(HTTPTracing.method(of: request))
    }

    private func attempt(
        _ request: URLRequest, template: String?, resendCount: Int, redact: (String) -> String,
    ) async throws -> TracedResponse {
        let name = SpanName.httpClient(method: HTTPTracing.method(of: request), template: template)
        var failure: HTTPRequestError?
        let answer = try await tracing.trace(
            request, template: template, resendCount: resendCount,
            outcome: { HTTPTracing.Outcome(status: $0.status, size: $0.wireSize) },
        ) { request, span in
            do {
                let answer = try await transport.send(request)
                if !answer.isSuccess {
                    let error = HTTPRequestError(request: name, reason: .answer(answer), redact: redact)
                    span.recordException(error)
                    failure = error
                }
                return answer
            } catch let error as TransportFailure {
                throw HTTPRequestError(request: name, reason: .transport(error))
            }
        }
        if let failure { throw failure }
        return answer
    }
}
