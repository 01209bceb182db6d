import Astrolabe
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The client span of one task of a ``TracedURLSession``.
///
/// It starts when the task is made, because the headers of the request need its id. It ends once, with the task.
final class TaskSpan: Sendable {
    private let span: Tracer.Span
    private let tracing: HTTPTracing
    private let request: URLRequest
    private let baggage: Baggage
    private let resendCount: Int
    /// False for a WebSocket: how long it is open is not the duration of a request.
    private let isMeasured: Bool
    private let start = ContinuousClock.now
    private let state: Locked<State>

    private struct State {
        var redirects = 0
        /// True if a request of this task had the headers, so that the next one may have copied them.
        var hasHeaders: Bool
        var isEnded = false
    }

    /// Starts the span as a child of the current one.
    init(_ tracing: HTTPTracing, _ request: URLRequest, template: String?, resendCount: Int, isMeasured: Bool) {
        self.tracing = tracing
        self.request = request
        self.resendCount = resendCount
        self.isMeasured = isMeasured
        baggage = TelemetryContext.current.baggage
        state = Locked(State(hasHeaders: tracing.isAllowed(request)))
        let method = HTTPTracing.method(of: request)
        let attributes = tracing.attributes(of: request, method: method, template: template, resendCount: resendCount)
        var builder = tracing.tracer.spanBuilder(SpanName.httpClient(method: method, template: template))
            .setSpanKind(.client)
        for attribute in attributes { builder = builder.setAttribute(attribute.key, attribute.value) }
        span = builder.startSpan()
    }

    /// The request with the headers of this span, if its host is allowed.
    var tracedRequest: URLRequest { withHeaders(request) }

    /// Returns the request that follows a redirect: with the headers of this span, or without any.
    func redirect(to next: URLRequest) -> URLRequest {
        let isAllowed = tracing.isAllowed(next)
        let (redirects, hadHeaders) = state.withLock { state in
            defer { state.hasHeaders = state.hasHeaders || isAllowed }
            state.redirects += 1
            return (state.redirects, state.hasHeaders)
        }
        tracing.attributeNames.set(.resendCount, to: AttributeValue(resendCount + redirects), on: span)
        if isAllowed { return withHeaders(next) }
        return hadHeaders ? tracing.withoutHeaders(next) : next
    }

    /// Sets what the system measured.
    func record(_ timings: RequestTimings) {
        span.setAttributes(timings.attributes)
    }

    /// Ends the span with the outcome of the task. Only the first call counts.
    func end(_ response: URLResponse?, received: Int64, error: (any Error)?) {
        let isFirst = state.withLock { state in
            defer { state.isEnded = true }
            return !state.isEnded
        }
        guard isFirst else { return }
        let head = response as? HTTPURLResponse
        if let error {
            if let head { tracing.attributeNames.set(.status, to: AttributeValue(head.statusCode), on: span) }
            fail(error, head)
        } else {
            let outcome = head.map {
                HTTPTracing.Outcome(
                    status: $0.statusCode, size: $0.bodySize(received: received > 0 ? Int(received) : nil))
            }
            if let outcome { tracing.describe(outcome, on: span) }
            measure(status: outcome?.status)
        }
        span.end()
    }

    private func fail(_ error: any Error, _ head: HTTPURLResponse?) {
        if !ExceptionDescription.isCancellation(error) {
            let type =
                (error as? URLError).map { TransportFailure($0, hasBegun: head != nil).rawValue }
                ?? HTTPTracing.errorType(of: error)
            span.setAttribute(AttributeKey.errorType, type)
            measure(status: head?.statusCode, errorType: type)
        }
        span.recordFailure(error)
    }

    private func measure(status: Int?, errorType: String? = nil) {
        guard isMeasured else { return }
        tracing.measure(request, HTTPTracing.method(of: request), since: start, status: status, errorType: errorType)
    }

    private func withHeaders(_ request: URLRequest) -> URLRequest {
        tracing.withContext(request, of: TelemetryContext(span: span, baggage: baggage))
    }
}

extension HTTPTracing {
    func isAllowed(_ request: URLRequest) -> Bool { request.url.map(allowedHosts.contains) ?? false }

    /// Returns the request without trace context, baggage and identity.
    func withoutHeaders(_ request: URLRequest) -> URLRequest {
        var request = request
        let names = [HeaderName.requestID, HeaderName.sessionID, HeaderName.deviceID, HeaderName.appVersion]
        for name in propagator.fields + names { request.setValue(nil, forHTTPHeaderField: name) }
        return request
    }
}
