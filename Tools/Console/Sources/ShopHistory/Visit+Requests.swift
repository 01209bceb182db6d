import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import FleetSimulator
import ShopAPI

/// A request to the shop, and the backend's work for it.
struct ShopCall {
    let method: String
    let template: String
    var path: String?
    var query = ""
    /// The names of the backend's spans, with their share of its time.
    var work: [(name: String, share: Double, attributes: Attributes)] = []
    /// The median time of the backend, in milliseconds.
    var time = 12.0
    var status = 200
    /// The backend's error, which is on the last span of its work.
    var error: String?
    /// Why the card was not charged, in the backend's word.
    var paymentRefusal: String?
    /// True if only poor networks make it fail.
    var isImportant = false
}

// Requests and taps.
extension Visit {
    /// A tap, and what it leads to.
    mutating func tap(_ widget: String, id: String, _ body: (inout Visit, Tracer.Span) -> Void) {
        let span = begin("tap \(widget)", under: nil)
        event(
            EventName.appWidgetClick, scope: "astrolabe.views",
            [AttributeKey.appWidgetID: id, AttributeKey.appWidgetName: widget], in: span,
        )
        now += nanoseconds(1.5 * phone.handset.slowness)
        body(&self, span)
        now += nanoseconds(1)
        end(span, at: now)
    }

    /// A function of a view model: the span of the function, of the service it uses, and of the request.
    ///
    /// - Returns: The value of `error.type`, or `nil` for a success.
    @discardableResult
    mutating func call(
        _ model: String?, _ service: String, _ call: ShopCall, under parent: Tracer.Span?,
        _ attributes: Attributes = [:], _ then: (inout Visit, Tracer.Span, String?) -> Void = { _, _, _ in },
    ) -> String? {
        let outer = model.map { begin($0, under: parent, attributes) }
        let inner = begin(service, under: outer ?? parent, attributes)
        let failure = send(call, under: inner)
        let text = failure.map { $0.allSatisfy(\.isNumber) ? "HTTP \($0)" : "\(call.method) \(call.template): \($0)" }
        for span in [inner, outer].compactMap({ $0 }) {
            if let failure { span.setAttribute(AttributeKey.errorType, failure) }
        }
        end(inner, at: now, text.map { .error($0) } ?? .ok)
        then(&self, outer ?? inner, failure)
        now += nanoseconds(0.6 * phone.handset.slowness)
        if let outer { end(outer, at: now, text.map { .error($0) } ?? .ok) }
        return failure
    }

    private mutating func send(_ call: ShopCall, under parent: Tracer.Span) -> String? {
        let start = now
        let host = "shop.example.com"
        let path = call.path ?? call.template
        let client = begin(
            SpanName.httpClient(method: call.method, template: call.template), kind: .client,
            scope: "astrolabe.http", under: parent,
            [
                AttributeKey.httpRequestMethod: call.method,
                AttributeKey.urlFull: "https://\(host)\(path)\(call.query)",
                AttributeKey.serverAddress: host, AttributeKey.serverPort: 443,
                AttributeKey.urlTemplate: call.template,
            ],
        )
        var failure: String?
        if network.type == "unavailable" {
            now += nanoseconds(3)
            failure = "offline"
        } else if !call.isImportant, chance.happens(network.lossRate) {
            now += nanoseconds(chance.within(10_000...15_000))
            failure = "timeout"
        } else {
            let way = chance.logNormal(median: network.delay / 2, spread: 1.5)
            now += nanoseconds(way)
            serve(call, path: path, under: client)
            now += nanoseconds(way)
            client.setAttribute(AttributeKey.httpResponseStatusCode, call.status)
            client.setAttribute(AttributeKey.httpResponseBodySize, chance.count(40...4_000))
            if call.status >= 400 { failure = String(call.status) }
        }
        if let failure { client.setAttribute(AttributeKey.errorType, failure) }
        end(client, at: now, failure.map { .error($0) } ?? .unset)
        var measured: Attributes = [
            AttributeKey.httpRequestMethod: call.method, AttributeKey.serverAddress: host,
            AttributeKey.serverPort: 443,
        ]
        if let failure { measured[AttributeKey.errorType] = .string(failure) }
        recorder.phone.meter("astrolabe.http").histogram(MetricName.httpClientRequestDuration, unit: "s")
            .record(Double(now - start) / 1e9, attributes: measured)
        return failure
    }

    /// The backend's part of the trace.
    private mutating func serve(_ call: ShopCall, path: String, under client: Tracer.Span) {
        let tracer = recorder.backend.tracer("swift-distributed-tracing")
        let took = chance.logNormal(median: call.time, spread: 1.5)
        let server = Self.begin(
            SpanName.httpServer(method: call.method, route: call.template), .server, tracer, client, now,
            [
                AttributeKey.httpRequestMethod: call.method, AttributeKey.httpRoute: call.template,
                AttributeKey.urlPath: path, AttributeKey.urlScheme: "https",
                AttributeKey.httpResponseStatusCode: AttributeValue(call.status),
                AttributeKey.sessionID: session, DemoAttribute.appVersion: phone.release.rawValue,
                AttributeKey.appInstallationID: phone.installation,
            ],
        )
        var time = now + nanoseconds(0.2)
        for (index, work) in call.work.enumerated() {
            let isAtFault = call.error != nil && index == call.work.count - 1
            let span = Self.begin(work.name, .internal, tracer, server, time, work.attributes)
            time += nanoseconds(took * work.share)
            end(span, at: time, isAtFault ? .error(call.error ?? "") : .unset)
        }
        if let reason = call.paymentRefusal {
            log("payment refused", at: time, [DemoAttribute.paymentFailureReason: reason], in: server)
        }
        now += nanoseconds(took)
        end(server, at: now, call.status >= 500 ? .error(call.error ?? "HTTP \(call.status)") : .unset)
        guard call.method == "POST" || call.status >= 400 else { return }
        log(
            call.error ?? "\(call.method) \(call.template) \(call.status)", at: now,
            severity: call.status >= 500 ? .error : .info, in: server)
    }

    /// A log record of the backend.
    private func log(
        _ text: String, at time: UInt64, severity: Severity = .info, _ attributes: Attributes = [:],
        in span: Tracer.Span,
    ) {
        var attributes = attributes
        attributes[AttributeKey.sessionID] = .string(session)
        attributes[DemoAttribute.appVersion] = .string(phone.release.rawValue)
        recorder.backend.clock.now = time
        recorder.backend.logger().emit(
            "", severity: severity, body: .string(text), attributes: attributes, timeUnixNano: time,
            context: span.context)
    }
}
