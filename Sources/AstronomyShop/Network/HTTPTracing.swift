import Astrolabe
import Foundation

/// Client spans and context headers for HTTP requests, whatever sends them.
///
///     let response = try await tracing.trace(request, template: "/api/products/{id}") { request, span in
///         try await transport.send(request)
///     }
///
/// A span is named "{method} {template}", and holds what the semantic conventions ask of a client. A status of 400 or
/// more is an error of the span, without a description, since the status says it; so is whatever `send` throws, but
/// for cancellation, which is only noted.
struct HTTPTracing: Sendable {
    var tracer: Tracer
    var attributeNames = HTTPAttributeNames.stable
    /// Where the headers go: `traceparent`, `tracestate`, `baggage` and those of `headers`.
    var allowedHosts: AllowedHosts
    /// What travels as baggage beside the current one, whose members of the same name give way.
    var baggage: @Sendable () -> Baggage = { Baggage() }
    /// Further headers, asked for once for each request.
    var headers: @Sendable () -> [String: String] = { [:] }

    /// Runs `send` inside a client span, with the request as it is to be sent.
    ///
    /// - Parameters:
    ///   - template: The path with its variable parts in braces; nil where it is not known, and the span is named by
    ///     the method alone.
    ///   - resendCount: How many times this same request has been sent before.
    func trace(
        _ request: HTTPRequest, template: String? = nil, resendCount: Int = 0,
        send: (HTTPRequest, Span) async throws -> HTTPResponse,
    ) async throws -> HTTPResponse {
        let name = SpanName.httpClient(method: request.method, template: template)
        return try await tracer.withSpan(
            name, kind: .client, attributes: attributes(of: request, template: template, resendCount: resendCount),
        ) { span in
            do {
                let response = try await send(withContext(request), span)
                describe(response, on: span)
                return response
            } catch {
                if !error.isCancellation { span.setAttribute(key: AttributeKey.errorType, value: error.telemetryType) }
                throw error
            }
        }
    }

    private func attributes(of request: HTTPRequest, template: String?, resendCount: Int) -> Attributes {
        var attributes = Attributes()
        let isKnown = KnownValue.httpMethods.contains(request.method)
        let method = isKnown ? request.method : KnownValue.otherHTTPMethod
        attributeNames.set(.method, to: .string(method), in: &attributes)
        attributeNames.set(.url, to: .string(request.url.absoluteString), in: &attributes)
        if let host = request.url.host { attributeNames.set(.host, to: .string(host), in: &attributes) }
        if let port = request.url.port ?? Self.defaultPorts[request.url.scheme?.lowercased() ?? ""] {
            attributeNames.set(.port, to: AttributeValue(port), in: &attributes)
        }
        if let template { attributes[AttributeKey.urlTemplate] = .string(template) }
        if resendCount > 0 { attributeNames.set(.resendCount, to: AttributeValue(resendCount), in: &attributes) }
        return attributes
    }

    private func describe(_ response: HTTPResponse, on span: Span) {
        guard span.isRecording else {
            // A span that was sampled out is recorded after all where it fails, without attributes of the response.
            if response.status >= 400 { span.setStatus(.error("HTTP \(response.status)")) }
            return
        }
        attributeNames.set(.status, to: AttributeValue(response.status), on: span)
        let size = response.announcedLength ?? response.body.count
        attributeNames.set(.responseSize, to: AttributeValue(size), on: span)
        if response.status >= 400 {
            span.setAttribute(key: AttributeKey.errorType, value: String(response.status))
            span.setStatus(.error(""))
        }
    }

    /// The request with the current context, where its host may learn of it.
    private func withContext(_ request: HTTPRequest) -> HTTPRequest {
        guard allowedHosts.contains(request.url) else { return request }
        var request = request
        let current = TelemetryContext.current
        let carried = request.headers[W3CPropagator.baggageHeader].map(Baggage.init(header:)) ?? Baggage()
        let context = TelemetryContext(
            span: current.span, baggage: carried.merging(current.baggage).merging(baggage()),
        )
        W3CPropagator.inject(context) { name, value in request.headers[name] = value }
        request.headers.merge(headers()) { _, new in new }
        return request
    }

    private static let defaultPorts = ["http": 80, "https": 443]
}
