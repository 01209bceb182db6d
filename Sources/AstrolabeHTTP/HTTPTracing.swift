public import Astrolabe
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Client spans and context headers for HTTP requests, whatever sends them.
///
///     let tracing = HTTPTracing(telemetry, allowedHosts: ["shop.example.com"])
///     let (data, response) = try await tracing.trace(request, template: "/api/products/{id}") { request, span in
///         try await session.data(for: request)
///     }
///
/// For an app that has a `URLSession` of its own; others let a ``TracedHTTPClient`` send. A span is named
/// "{method} {template}", and holds what the semantic conventions ask of a client. Query values stay out of it, except
/// those that `RedactionOptions.recordedQueryItems` names. A status of 400 or more is an error of the span, without a
/// description, since the status says it. An error that `send` throws is one too, except cancellation, which is only
/// noted.
public struct HTTPTracing: Sendable {
    package var tracer: Tracer
    /// Measures `http.client.request.duration`; `nil` if the tracing was made from a tracer alone.
    private let durations: Meter.Histogram?
    /// The hosts that receive the headers of the propagator and of the identity. The list has no default, because only
    /// the app knows which hosts are its own.
    public var allowedHosts: AllowedHosts {
        didSet { reportRejectedHosts() }
    }
    /// Default the SDK's session, as baggage alone. An identity that the app sets goes in headers of its own, too:
    ///
    ///     tracing.identity = HTTPIdentity(telemetry)
    public var identity: HTTPIdentity
    /// The requests that carry their trace to the server. Default `recorded`.
    public var propagation = Propagation.recorded
    /// The propagator of the trace and the baggage. Default that of the telemetry's configuration.
    public var propagator: any TextMapPropagator = CompositePropagator.w3c
    /// Default as `OTEL_SEMCONV_STABILITY_OPT_IN` asks.
    public var attributeNames = HTTPAttributeNames.ofEnvironment

    /// The requests that carry their trace to the server.
    public enum Propagation: Sendable {
        /// Those of traces that are sampled. The server decides about the others by itself. Most servers sample by
        /// parent, and would record none of them.
        case sampledOnly
        /// Those of traces that are sampled, and of those that the flight recorder records, which may be sent later.
        /// The server decides about the others by itself. The flag of `traceparent` says whether the trace is sampled.
        case recorded
        /// All, with that flag.
        case always
    }

    private func names(_ span: Tracer.Span) -> Bool {
        switch propagation {
        case .sampledOnly: span.context.isSampled
        case .recorded: span.context.isSampled || span.isRecording
        case .always: true
        }
    }

    /// Creates the tracing of requests to the allowed hosts.
    public init(_ telemetry: Telemetry, allowedHosts: AllowedHosts) {
        let (name, version, schemaURL) = ("astrolabe.http", SDKVersion.current, SchemaURL.current)
        tracer = telemetry.tracer(name, version: version, schemaURL: schemaURL)
        durations = Self.durations(telemetry.meter(name, version: version, schemaURL: schemaURL))
        self.allowedHosts = allowedHosts
        identity = HTTPIdentity(telemetry)
        identity.hasHeaders = false
        propagator = telemetry.propagator
        reportRejectedHosts()
    }

    private func reportRejectedHosts() {
        let rejected = allowedHosts.rejectedPatterns
        guard !rejected.isEmpty else { return }
        tracer.core?.notices.report(.unusableHosts) {
            "No host can match these allowed hosts, so they get no trace context: \(rejected). Expected a host's whole "
                + "name, such as \"api.example.com\", or \"*.\" and a domain, without a scheme, port or path."
        }
    }

    /// The bounds that the semantic conventions give, in seconds.
    private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

    private static func durations(_ meter: Meter) -> Meter.Histogram {
        meter.histogram(MetricName.httpClientRequestDuration, unit: "s", bounds: bounds)
    }

    /// Creates the tracing of requests with a scope of the app's own.
    ///
    /// - Parameter meter: Measures the duration of requests; `nil` measures none.
    public init(tracer: Tracer, meter: Meter? = nil, allowedHosts: AllowedHosts, identity: HTTPIdentity) {
        durations = meter.map(Self.durations)
        self.tracer = tracer
        self.allowedHosts = allowedHosts
        self.identity = identity
        reportRejectedHosts()
    }

    /// Runs `send` inside a client span, with the request to send.
    ///
    /// Any call of `URLSession` fits whose result is something and a response: `data(for:)`, `download(for:)`,
    /// `upload(for:from:)`, and `bytes(for:)`, whose span ends with the response's head. A call with a completion
    /// handler fits by `withCheckedThrowingContinuation`.
    ///
    ///     let (file, response) = try await tracing.trace(request, template: "/catalog") { request, _ in
    ///         try await session.download(for: request)
    ///     }
    ///
    /// Baggage of the request, the current baggage and the session are merged in this order; the last wins. Headers of
    /// the identity do not replace those of the request.
    ///
    /// - Parameters:
    ///   - template: The path with its variable parts in braces. If it is `nil`, the span is named by the method alone.
    ///   - resendCount: How many times this same request has been sent before.
    ///   - send: Called once. If it follows redirects, it must do so within the allowed hosts.
    public func trace<Body>(
        _ request: URLRequest, template: String? = nil, resendCount: Int = 0,
        isolation: isolated (any Actor)? = #isolation,
        send: (URLRequest, Tracer.Span) async throws -> (Body, URLResponse),
    ) async throws -> (Body, URLResponse) {
        try await trace(
            request, template: template, resendCount: resendCount, outcome: { Self.outcome(of: $0.0, $0.1) },
            send: send)
    }

    /// The attributes and status that a span gets from a response.
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
        let start = ContinuousClock.now
        return try await tracer.withSpan(
            SpanName.httpClient(method: method, template: template), kind: .client,
            attributes: attributes(of: request, method: method, template: template, resendCount: resendCount),
        ) { span in
            _ = isolation  // A closure runs on the actor that it captures.
            do {
                let answer = try await send(withContext(request), span)
                let outcome = outcome(answer)
                if let outcome { describe(outcome, on: span) }
                measure(request, method, since: start, status: outcome?.status)
                return answer
            } catch {
                if !ExceptionDescription.isCancellation(error) {
                    let type = Self.errorType(of: error)
                    span.setAttribute(AttributeKey.errorType, type)
                    measure(request, method, since: start, errorType: type)
                }
                throw error
            }
        }
    }

    /// Records the duration with the attributes that the conventions ask for. A cancelled request has none.
    func measure(
        _ request: URLRequest, _ method: String, since start: ContinuousClock.Instant, status: Int? = nil,
        errorType: String? = nil,
    ) {
        guard let durations else { return }
        let isKnown = KnownValue.httpMethods.contains(method)
        var attributes: Attributes = [AttributeKey.httpRequestMethod: isKnown ? method : KnownValue.otherHTTPMethod]
        if let host = request.url?.host { attributes[AttributeKey.serverAddress] = .string(host) }
        if let port = request.url?.portOrDefault { attributes[AttributeKey.serverPort] = AttributeValue(port) }
        if let status { attributes[AttributeKey.httpResponseStatusCode] = AttributeValue(status) }
        let error = errorType ?? status.flatMap { $0 >= 400 ? String($0) : nil }
        if let error { attributes[AttributeKey.errorType] = .string(error) }
        durations.record((ContinuousClock.now - start).seconds, attributes: attributes)
    }

    static func method(of request: URLRequest) -> String { request.httpMethod ?? "GET" }

    func attributes(
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

    func describe(_ outcome: Outcome, on span: Tracer.Span) {
        guard span.isRecording else { return }
        attributeNames.set(.status, to: AttributeValue(outcome.status), on: span)
        if let size = outcome.size { attributeNames.set(.responseSize, to: AttributeValue(size), on: span) }
        if outcome.status >= 400 {
            span.setAttribute(AttributeKey.errorType, String(outcome.status))
            span.setStatus(.error(""))
        }
    }

    /// The request with a context, if its host is allowed.
    func withContext(_ request: URLRequest, of current: TelemetryContext = .current) -> URLRequest {
        guard let url = request.url, allowedHosts.contains(url) else { return request }
        var request = request
        let carried = request.value(forHTTPHeaderField: HeaderName.baggage).map(Baggage.init(header:)) ?? Baggage()
        let sessionID = inject(current, carried) { name, value in request.setValue(value, forHTTPHeaderField: name) }
        for (name, value) in identity.headers(sessionID: sessionID)
        where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    /// Gives `set` the headers of a context, of baggage that is carried already, and of the session; returns its id.
    @discardableResult
    func inject(
        _ current: TelemetryContext, _ carried: Baggage = Baggage(), set: (_ name: String, _ value: String) -> Void,
    ) -> String {
        let sessionID = identity.sessionID()
        var session = Baggage()
        if !sessionID.isEmpty { session[BaggageKey.sessionID] = sessionID }
        let span = current.span.flatMap { span in
            span.isPermitted(in: tracer.core) && names(span) ? span : nil
        }
        let context = TelemetryContext(
            span: span, baggage: carried.merging(current.baggage).merging(session),
        )
        propagator.inject(context, set: set)
        return sessionID
    }

    /// The size of what is no `Data` is known only from the response's head.
    private static func outcome<Body>(of body: Body, _ response: URLResponse) -> Outcome? {
        guard let response = response as? HTTPURLResponse else { return nil }
        return Outcome(status: response.statusCode, size: response.bodySize(received: (body as? Data)?.count))
    }

    static func errorType(of error: any Error) -> String {
        switch error {
        case let error as HTTPRequestError: error.errorType
        case let error as TransportFailure: error.rawValue
        case let error as URLError: TransportFailure(error, hasBegun: false).rawValue
        default: ExceptionDescription.typeName(of: error)
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
