public import Astrolabe
import AstrolabeRecording
import AstrolabeSemantics
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Client spans and context headers for HTTP requests, whatever sends them.
///
///     let tracing = HTTPTracing(telemetry, allowedHosts: ["shop.example.com"])
///     let (data, response) = try await tracing.trace(request, template: "/api/products/{id}") { request, span in
///         try await session.data(for: request)
///     }
///
/// For an app that has a `URLSession` of its own; others let a ``TracedHTTPClient`` send. A span is named
/// "{method} {template}", and holds what the semantic conventions ask of a client; query values stay out of it, but for
/// those that `RedactionOptions.recordedQueryItems` names. A status of 400 or more is an error of the span, without a
/// description, since the status says it; so is whatever `send` throws, but for cancellation, which is only noted.
public struct HTTPTracing: Sendable {
    /// Default "astrolabe.http" of the SDK.
    public var tracer: Tracer
    /// Where `traceparent`, `tracestate`, `baggage` and the identity go. The list has no default, for nobody but the
    /// app knows which hosts are its own.
    public var allowedHosts: AllowedHosts
    /// Default the SDK's session, as baggage alone. An identity that the app sets goes in headers of its own, too:
    ///
    ///     tracing.identity = HTTPIdentity(telemetry)
    public var identity: HTTPIdentity
    /// Which requests carry `traceparent` and `tracestate`. Default `sampledOnly`.
    public var propagation = Propagation.sampledOnly
    /// Default as the environment asks, see ``HTTPAttributeNames/init(stabilityOptIn:)``.
    public var attributeNames = HTTPAttributeNames.ofEnvironment

    /// Which requests tell their trace to the server.
    public enum Propagation: Sendable {
        /// Those of traces that are recorded. The server decides about the others by itself. Most servers sample by
        /// parent, and would record none of them.
        case sampledOnly
        /// All. The flag of `traceparent` says truthfully whether the trace is recorded here.
        case always
    }

    /// Creates the tracing of requests to the allowed hosts.
    public init(_ telemetry: Telemetry, allowedHosts: AllowedHosts) {
        tracer = telemetry.tracer("astrolabe.http", version: SDKVersion.current)
        self.allowedHosts = allowedHosts
        identity = HTTPIdentity(telemetry)
        identity.hasHeaders = false
    }

    /// - Parameter tracer: Names the spans' scope.
    public init(tracer: Tracer, allowedHosts: AllowedHosts, identity: HTTPIdentity) {
        self.tracer = tracer
        self.allowedHosts = allowedHosts
        self.identity = identity
    }

    /// Runs `send` inside a client span, with the request as it is to be sent.
    ///
    /// Baggage that the request carries, the current one and the session are merged in this order, the last wins. Of
    /// the identity's headers those that the request has already are left as they are.
    ///
    /// - Parameters:
    ///   - template: The path with its variable parts in braces; nil where it is not known, and the span is named by
    ///     the method alone.
    ///   - resendCount: How many times this same request has been sent before.
    ///   - send: Is asked once. Where it redirects, it must do so within the allowed hosts alone.
    public func trace(
        _ request: URLRequest, template: String? = nil, resendCount: Int = 0,
        isolation: isolated (any Actor)? = #isolation,
        send: (URLRequest, Tracer.Span) async throws -> (Data, URLResponse),
    ) async throws -> (Data, URLResponse) {
        try await trace(request, template: template, resendCount: resendCount, outcome: Self.outcome, send: send)
    }

    /// What a span says of an answer.
    struct Outcome {
        var status: Int
        /// Bytes of the body on the wire; nil if only the size after decompression is known.
        var size: Int?
    }

    func trace<Answer>(
        _ request: URLRequest, template: String?, resendCount: Int, isolation: isolated (any Actor)? = #isolation,
        outcome: (Answer) -> Outcome?, send: (URLRequest, Tracer.Span) async throws -> Answer,
    ) async throws -> Answer {
        let method = Self.method(of: request)
        return try await tracer.withSpan(
            SpanName.httpClient(method: method, template: template), kind: .client,
            attributes: attributes(of: request, method: method, template: template, resendCount: resendCount),
        ) { span in
            do {
                let answer = try await send(withContext(request), span)
                if let outcome = outcome(answer) { describe(outcome, on: span) }
                return answer
            } catch {
                if !Self.isCancellation(error) {
                    span.setAttribute(AttributeKey.errorType, Self.errorType(of: error))
                }
                throw error
            }
        }
    }

    static func method(of request: URLRequest) -> String { request.httpMethod ?? "GET" }

    private func attributes(
        of request: URLRequest, method: String, template: String?, resendCount: Int,
    ) -> Attributes {
        var attributes = Attributes()
        let isKnown = KnownValue.httpMethods.contains(method)
        attributeNames.set(.method, to: .string(isKnown ? method : KnownValue.otherHTTPMethod), in: &attributes)
        if !isKnown { attributes[AttributeKey.httpRequestMethodOriginal] = .string(method) }
        if let url = request.url {
            attributeNames.set(.url, to: .string(url.absoluteString), in: &attributes)
            if let host = url.host { attributeNames.set(.host, to: .string(host), in: &attributes) }
            if let port = url.portOrDefault { attributeNames.set(.port, to: AttributeValue(port), in: &attributes) }
        }
        if let template { attributes[AttributeKey.urlTemplate] = .string(template) }
        if resendCount > 0 { attributeNames.set(.resendCount, to: AttributeValue(resendCount), in: &attributes) }
        return attributes
    }

    private func describe(_ outcome: Outcome, on span: Tracer.Span) {
        guard span.isRecording else {
            // A span that was sampled out is recorded after all where it fails, without attributes of the answer.
            if outcome.status >= 400 { span.setStatus(.error("HTTP \(outcome.status)")) }
            return
        }
        attributeNames.set(.status, to: AttributeValue(outcome.status), on: span)
        if let size = outcome.size { attributeNames.set(.responseSize, to: AttributeValue(size), on: span) }
        if outcome.status >= 400 {
            span.setAttribute(AttributeKey.errorType, String(outcome.status))
            span.setStatus(.error(""))
        }
    }

    /// The request with the current context, where its host may learn of it.
    private func withContext(_ request: URLRequest) -> URLRequest {
        guard let url = request.url, allowedHosts.contains(url) else { return request }
        var request = request
        let sessionID = identity.sessionID()
        var session = Baggage()
        if !sessionID.isEmpty { session[BaggageKey.sessionID] = sessionID }
        let current = TelemetryContext.current
        let carried = request.value(forHTTPHeaderField: HeaderName.baggage).map(Baggage.init(header:)) ?? Baggage()
        let span = current.span.flatMap { span in
            propagation == .always || span.context.isSampled ? span : nil
        }
        let context = TelemetryContext(
            span: span, baggage: carried.merging(current.baggage).merging(session),
        )
        W3CPropagator.inject(context) { name, value in request.setValue(value, forHTTPHeaderField: name) }
        for (name, value) in identity.headers(sessionID: sessionID)
        where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    private static func outcome(of data: Data, _ response: URLResponse) -> Outcome? {
        guard let response = response as? HTTPURLResponse else { return nil }
        return Outcome(status: response.statusCode, size: response.bodySize(received: data.count))
    }

    private static func isCancellation(_ error: any Error) -> Bool {
        error is CancellationError || (error as? URLError)?.code == .cancelled
    }

    private static func errorType(of error: any Error) -> String {
        switch error {
        case let error as HTTPRequestError: error.errorType
        case let error as TransportFailure: error.rawValue
        case let error as URLError: TransportFailure(error, hasBegun: false).rawValue
        default: String(reflecting: type(of: error))
        }
    }
}

extension HTTPURLResponse {
    /// Bytes of the body on the wire; `nil` if there is no `Content-Length` and the body was compressed.
    func bodySize(received: Int?) -> Int? {
        if let announced = value(forHTTPHeaderField: "Content-Length").flatMap({ Int($0) }) { return announced }
        let encoding = value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity"
        return encoding == "identity" ? received : nil
    }
}

extension URL {
    /// The port that a connection is made to; nil for a scheme that is not HTTP's and names none.
    var portOrDefault: Int? {
        port ?? ["http": 80, "https": 443][scheme?.lowercased() ?? ""]
    }
}
