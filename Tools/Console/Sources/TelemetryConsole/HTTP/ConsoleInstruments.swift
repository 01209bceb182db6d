import Hummingbird
package import Metrics
package import Tracing

/// The metrics and spans that the console records about itself. By default none. The units are in ``units``, because
/// swift-metrics has none.
///
/// | instrument | unit | dimensions |
/// |---|---|---|
/// | `astrolabe.console.records` | `{record}` | `astrolabe.console.signal`, `astrolabe.console.outcome` |
/// | `astrolabe.console.ingest.duration` | s | the same |
/// | `http.server.request.duration` | s | those of the semantic conventions |
///
/// The outcome of a record is `stored` or `rejected`. That of a request is `stored` or the gRPC status code of its
/// failure.
///
/// Each request of a page, the API and an assistant is a span. A request with telemetry is none, because a console that
/// sends to itself would record a span for each of its own requests.
package struct ConsoleInstruments: Sendable {
    private let metrics: any MetricsFactory
    private let tracer: any Tracer

    private static let records = "astrolabe.console.records"

    /// The UCUM units of the instruments that are no timers.
    package static let units = [records: "{record}"]

    package init(
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, tracer: any Tracer = NoOpTracer(),
    ) {
        self.metrics = metrics
        self.tracer = tracer
    }

    /// Notes a request with telemetry that was stored.
    func stored(_ signal: Signal, records: Int, rejected: Int, since start: ContinuousClock.Instant) {
        count(records - rejected, signal, "stored")
        if rejected > 0 { count(rejected, signal, "rejected") }
        end(signal, "stored", since: start)
    }

    /// Notes a request with telemetry that failed as a whole.
    func failed(_ signal: Signal, _ failure: IngestFailure, since start: ContinuousClock.Instant) {
        end(signal, String(failure.code), since: start)
    }

    /// Handles a request of the pages or the API.
    ///
    /// - Parameter scheme: `http` or `https`.
    func respond(
        to request: Request, scheme: String, _ handle: () async throws -> Response,
    ) async rethrows -> Response {
        guard let match = ConsoleRoute.match(request.uri.path), !match.isIngest else { return try await handle() }
        let route = match.path.text
        let method = request.method.rawValue
        let start = ContinuousClock.now
        let response = try await tracer.withAnySpan("\(method) \(route)", ofKind: .server) { span in
            span.attributes["http.request.method"] = method
            span.attributes["http.route"] = route
            span.attributes["url.scheme"] = scheme
            let response = try await handle()
            span.attributes["http.response.status_code"] = response.status.code
            if response.status.code >= 500 { span.setStatus(SpanStatus(code: .error)) }
            return response
        }
        let status = String(response.status.code)
        var dimensions = [
            ("http.request.method", method), ("url.scheme", scheme), ("http.route", route),
            ("http.response.status_code", status),
        ]
        if response.status.code >= 500 { dimensions.append(("error.type", status)) }
        Timer(label: "http.server.request.duration", dimensions: dimensions, factory: metrics)
            .record(duration: .now - start)
        return response
    }

    private func count(_ records: Int, _ signal: Signal, _ outcome: String) {
        let dimensions = Self.dimensions(signal, outcome)
        Counter(label: Self.records, dimensions: dimensions, factory: metrics).increment(by: records)
    }

    private func end(_ signal: Signal, _ outcome: String, since start: ContinuousClock.Instant) {
        let dimensions = Self.dimensions(signal, outcome)
        Timer(label: "astrolabe.console.ingest.duration", dimensions: dimensions, factory: metrics)
            .record(duration: .now - start)
    }

    private static func dimensions(_ signal: Signal, _ outcome: String) -> [(String, String)] {
        [("astrolabe.console.signal", signal.rawValue), ("astrolabe.console.outcome", outcome)]
    }
}
