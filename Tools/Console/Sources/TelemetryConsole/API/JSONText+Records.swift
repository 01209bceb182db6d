import AstrolabeTelemetryModel
import ConsoleStore

extension JSONText {
    mutating func append(_ page: TimelinePage) {
        object { text in
            text.member("items") { text in
                text.array(page.items) { text, item in
                    switch item {
                    case .span(let span): text.append(span)
                    case .event(let event): text.append(event)
                    }
                }
            }
            text.member("origins") { $0.append(page.origins) }
            text.member(optional: "next", page.next)
            text.member("cursor", page.cursor)
        }
    }

    private mutating func append(_ span: SpanRecord) {
        object { text in
            text.member("seq", span.seq)
            text.member("kind", span.category.name)
            text.member("origin", span.origin)
            text.member("name", span.name)
            text.member("timeUs", span.startUnixNano / 1_000)
            text.member("durationNs", span.durationNano)
            if span.isError { text.member("error", true) }
            text.member("traceId", span.traceID.hex)
            text.member("spanId", span.spanID.hex)
            text.appendContents(attributes: span.attributesText, details: span.detailsText)
        }
    }

    private mutating func append(_ event: EventRecord) {
        object { text in
            text.member("seq", event.seq)
            text.member("kind", event.category.name)
            text.member("origin", event.origin)
            text.member("name", event.name)
            text.member("timeUs", event.timeUnixNano / 1_000)
            text.member("severity", event.severity)
            if event.isError { text.member("error", true) }
            if event.traceID.isValid { text.member("traceId", event.traceID.hex) }
            if event.spanID.isValid { text.member("spanId", event.spanID.hex) }
            if !event.bodyText.isEmpty { text.member("body") { $0.append(json: event.bodyText) } }
            text.appendContents(attributes: event.attributesText, details: "")
        }
    }

    /// Appends a record. Attributes and details are stored as JSON and are copied unchanged.
    private mutating func appendContents(attributes: String, details: String) {
        if !attributes.isEmpty { member("attributes") { $0.append(json: attributes) } }
        if !details.isEmpty { member("details") { $0.append(json: details) } }
    }

    /// Appends the origins with the numbers that records refer to.
    private mutating func append(_ origins: [Int64: Origin]) {
        array(origins.values.sorted { $0.id < $1.id }) { text, origin in
            text.object { text in
                text.member("id", origin.id)
                text.member("service", origin.service)
                text.member("side", origin.side.name)
                text.member("attributes") { $0.append(json: origin.attributesText) }
            }
        }
    }

    mutating func append(_ trace: TraceDetail) {
        let start = trace.spans.map(\.startUnixNano).min() ?? trace.events.map(\.timeUnixNano).min() ?? 0
        let end = trace.spans.map(\.endUnixNano).max() ?? start
        object { text in
            text.member("traceId", trace.id.hex)
            text.member("startUs", start / 1_000)
            text.member("durationNs", end.clampedDifference(start))
            text.member("sessions") { $0.array(trace.sessions) { $0.append($1) } }
            text.member("truncated", trace.isTruncated)
            text.member("origins") { $0.append(trace.origins) }
            text.member("spans") { $0.array(trace.spans) { $0.append($1, since: start) } }
            text.member("events") { $0.array(trace.events) { $0.append($1) } }
            text.member("cursor", trace.cursor)
        }
    }

    private mutating func append(_ node: TraceNode, since start: UInt64) {
        let span = node.span
        object { text in
            text.member("spanId", span.spanID.hex)
            if span.parentSpanID.isValid { text.member("parentId", span.parentSpanID.hex) }
            text.member("origin", span.origin)
            text.member("name", span.name)
            text.member("kind", span.kind.map(String.init(describing:)) ?? "unspecified")
            text.member("offsetNs", node.startUnixNano.clampedDifference(start))
            text.member("durationNs", span.durationNano)
            text.member("depth", node.depth)
            text.member("descendants", node.descendants)
            if span.isError { text.member("error", true) }
            if span.status == .ok { text.member("ok", true) }
            if node.isCritical { text.member("critical", true) }
            if node.isOrphan { text.member("orphan", true) }
            if node.shiftNano != 0 { text.member("shiftNs", node.shiftNano) }
            text.appendContents(attributes: span.attributesText, details: span.detailsText)
        }
    }

    mutating func append(_ metric: MetricOverview) {
        object { text in
            text.member("name", metric.name)
            text.member("description", metric.description)
            text.member("unit", metric.unit)
            text.member("kind", metric.kind.name)
            text.member("truncated", metric.isTruncated)
            text.member("series") { $0.array(metric.series) { $0.append($1) } }
        }
    }

    private mutating func append(_ series: MetricSeries) {
        object { text in
            text.member("id", series.id)
            text.member("service", series.origin.service)
            text.member("side", series.origin.side.name)
            let device = DeviceFacts(series.origin.attributes)
            text.member("device", device.modelName.isEmpty ? device.modelIdentifier : device.modelName)
            text.member("installation", device.installation)
            text.member(optional: "session", series.session)
            text.member("monotonic", series.isMonotonic)
            text.member("cumulative", series.isCumulative)
            text.member("attributes") { $0.append(json: series.attributesText) }
            text.member("points") { text in
                text.array(series.points) { text, point in
                    text.object { text in
                        text.member("timeUs", point.timeUnixNano / 1_000)
                        if let value = point.value, value.isFinite {
                            text.member("value") { $0.append(.double(value)) }
                        }
                        if let count = point.count { text.member("count", count) }
                        if !point.histogramText.isEmpty {
                            text.member("histogram") { $0.append(json: point.histogramText) }
                        }
                    }
                }
            }
        }
    }
}
