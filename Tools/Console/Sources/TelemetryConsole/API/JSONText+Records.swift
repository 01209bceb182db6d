import AstrolabeTelemetryModel
import ConsoleModel

extension JSONText {
    /// - Parameters:
    ///   - arrivals: When the records arrived.
    ///   - session: The summary of the session, if it is to come first.
    mutating func append(_ page: TimelinePage, arrivals: ArrivalTimes, of session: SessionSummary? = nil) {
        object { text in
            if let session { text.member("session") { $0.append(session) } }
            text.member("items") { text in
                text.array(page.items) { text, item in
                    let shift = page.origins[item.origin]?.side == .backend ? page.backendShiftNano : 0
                    switch item {
                    case .span(let span): text.append(span, shift: shift, arrived: arrivals.time(of: span.seq))
                    case .event(let event):
                        text.append(event, shift: shift, arrived: arrivals.time(of: event.seq))
                    }
                }
            }
            text.member("origins") { $0.append(page.origins) }
            text.member("scopes") { $0.append(page.scopes) }
            if page.backendShiftNano != 0 { text.member("backendShiftNs", page.backendShiftNano) }
            text.member(optional: "next", page.next)
            text.member("cursor", page.cursor)
        }
    }

    /// - Parameters:
    ///   - arrivals: When the records arrived.
    ///   - found: The records whose id was searched for, if the list has none of them.
    mutating func append(_ logs: LogPage, arrivals: ArrivalTimes, found: [FoundRecord]) {
        object { text in
            text.member("logs") { text in
                text.array(logs.page.elements) { text, log in
                    text.append(log.event, session: log.session, arrived: arrivals.time(of: log.event.seq))
                }
            }
            text.append(found)
            text.member("origins") { $0.append(logs.origins) }
            text.member("scopes") { $0.append(logs.scopes) }
            text.member(optional: "next", logs.page.next)
            text.member("complete", logs.page.isComplete)
            text.member("cursor", logs.page.cursor)
        }
    }

    /// - Parameter shift: What to add to the recorded time.
    private mutating func append(_ span: SpanRecord, shift: Int64, arrived: Int64?) {
        object { text in
            text.member("seq", span.seq)
            text.member("kind", span.category.name)
            text.member("origin", span.origin)
            text.member("name", span.name)
            text.appendTime("timeUs", "timeNs", span.startUnixNano, shift: shift)
            text.member("durationNs", span.durationNano)
            text.appendArrival(arrived, after: span.startUnixNano.clampedSum(span.durationNano))
            if span.isError { text.member("error", true) }
            if span.isFailure { text.member("failure", true) }
            text.member("scope", span.scope)
            if span.flags > 0 { text.member("flags", span.flags) }
            text.member("traceId", span.traceID.hex)
            text.member("spanId", span.spanID.hex)
            if span.parentSpanID.isValid { text.member("parentId", span.parentSpanID.hex) }
            text.appendContents(attributes: span.attributesText, details: span.detailsText)
        }
    }

    /// - Parameter shift: What to add to the recorded time.
    mutating func append(
        _ event: EventRecord, shift: Int64 = 0, session: String? = nil, arrived: Int64? = nil,
    ) {
        object { text in
            text.member("seq", event.seq)
            text.member("kind", event.category.name)
            text.member("origin", event.origin)
            text.member("name", event.name)
            text.appendTime("timeUs", "timeNs", event.timeUnixNano, shift: shift)
            if let sent = event.sentUnixNano {
                if sent > 0 { text.appendTime("sentUs", "sentNs", sent) } else { text.member("timeUnknown", true) }
            }
            text.appendArrival(arrived, after: event.timeUnixNano)
            if event.observedUnixNano > 0 { text.appendTime("observedUs", "observedNs", event.observedUnixNano) }
            text.member("severity", event.severity)
            if !event.severityText.isEmpty { text.member("severityText", event.severityText) }
            text.member("scope", event.scope)
            if event.flags > 0 { text.member("flags", event.flags) }
            if event.droppedAttributes > 0 { text.member("droppedAttributes", event.droppedAttributes) }
            if event.isError { text.member("error", true) }
            if event.isError, event.category != .crash { text.member("failure", true) }
            if event.traceID.isValid { text.member("traceId", event.traceID.hex) }
            if event.spanID.isValid { text.member("spanId", event.spanID.hex) }
            text.member(optional: "session", session)
            if !event.bodyText.isEmpty { text.member("body") { $0.append(json: event.bodyText) } }
            text.appendContents(attributes: event.attributesText, details: "")
        }
    }

    /// Appends a record. Attributes and details are stored as JSON and are copied unchanged.
    private mutating func appendContents(attributes: String, details: String) {
        if !attributes.isEmpty { member("attributes") { $0.append(json: attributes) } }
        if !details.isEmpty { member("details") { $0.append(json: details) } }
    }

    /// Appends when a record arrived, and how long after its end.
    private mutating func appendArrival(_ arrived: Int64?, after end: UInt64) {
        guard let arrived else { return }
        member("arrivedUs", arrived / 1_000)
        member("delayNs", max(0, arrived.clampedDifference(Int64(clamping: end))))
    }

    /// Appends a time in microseconds, and the nanoseconds beyond them in a member of their own if there are any.
    private mutating func appendTime(
        _ microseconds: StaticString, _ rest: StaticString, _ recorded: UInt64, shift: Int64 = 0,
    ) {
        let time = shift == 0 ? recorded : UInt64(clamping: Int64(clamping: recorded).clampedSum(shift))
        if shift != 0 { member("shiftNs", shift) }
        member(microseconds, time / 1_000)
        if time % 1_000 > 0 { member(rest, time % 1_000) }
    }

    /// Appends the scopes with the numbers that records refer to.
    mutating func append(_ scopes: [Int64: Scope]) {
        array(scopes.values.sorted { $0.id < $1.id }) { $0.append($1) }
    }

    private mutating func append(_ scope: Scope) {
        object { text in
            text.member("id", scope.id)
            text.member("name", scope.name)
            text.member("version", scope.version)
            text.member("attributes") { $0.append(json: scope.attributesText) }
            if !scope.schemaURL.isEmpty { text.member("schemaUrl", scope.schemaURL) }
            if scope.droppedAttributes > 0 { text.member("droppedAttributes", scope.droppedAttributes) }
        }
    }

    /// Appends the origins with the numbers that records refer to.
    mutating func append(_ origins: [Int64: Origin]) {
        array(origins.values.sorted { $0.id < $1.id }) { text, origin in
            text.object { text in
                text.member("id", origin.id)
                text.member("service", origin.service)
                text.member("side", origin.side.name)
                text.member("attributes") { $0.append(json: origin.attributesText) }
                if !origin.schemaURL.isEmpty { text.member("schemaUrl", origin.schemaURL) }
                if origin.droppedAttributes > 0 { text.member("droppedAttributes", origin.droppedAttributes) }
            }
        }
    }

    /// - Parameter arrivals: When the records arrived.
    mutating func append(_ trace: TraceDetail, arrivals: ArrivalTimes) {
        let start = trace.startUnixNano
        object { text in
            text.member("traceId", trace.id.hex)
            text.appendTime("startUs", "startNs", start)
            text.member("durationNs", trace.extent?.durationNano ?? 0)
            text.member("sessions") { $0.array(trace.sessions) { $0.append($1) } }
            text.member("truncated", trace.isTruncated)
            text.member("origins") { $0.append(trace.origins) }
            text.member("scopes") { $0.append(trace.scopes) }
            text.member("spans") { text in
                text.array(trace.spans) { text, node in
                    text.append(node, of: trace, since: start, arrived: arrivals.time(of: node.span.seq))
                }
            }
            text.member("events") { text in
                text.array(trace.events) { $0.append($1, arrived: arrivals.time(of: $1.seq)) }
            }
            text.member("cursor", trace.cursor)
        }
    }

    /// - Parameter hasParts: Whether to append the parts of the critical path, and not only their sum.
    mutating func append(
        _ node: TraceNode, of trace: TraceDetail, since start: UInt64, hasParts: Bool = true, arrived: Int64? = nil,
    ) {
        let span = node.span
        object { text in
            text.member("spanId", span.spanID.hex)
            if span.parentSpanID.isValid { text.member("parentId", span.parentSpanID.hex) }
            text.member("origin", span.origin)
            text.member("scope", span.scope)
            if span.flags > 0 { text.member("flags", span.flags) }
            text.member("name", span.name)
            text.member("kind", span.kind.map(String.init(describing:)) ?? "unspecified")
            text.member("offsetNs", node.startUnixNano.clampedDifference(start))
            text.member("durationNs", span.durationNano)
            text.appendArrival(arrived, after: span.startUnixNano.clampedSum(span.durationNano))
            text.member("depth", node.depth)
            text.member("descendants", node.descendants)
            if span.isError { text.member("error", true) }
            if span.isFailure { text.member("failure", true) }
            if span.status == .ok { text.member("ok", true) }
            if node.isCritical { text.member("critical", true) }
            if !hasParts, node.criticalNano > 0 { text.member("criticalNs", node.criticalNano) }
            if hasParts, !node.criticalParts.isEmpty {
                text.member("criticalParts") { text in
                    text.array(node.criticalParts) { text, part in
                        text.array([part.lowerBound.clampedDifference(start), UInt64(part.count)]) {
                            $0.append($1)
                        }
                    }
                }
            }
            if node.isOrphan { text.member("orphan", true) }
            if node.isShared { text.member("shared", true) }
            if trace.extent?.includes(node) == false { text.appendTime("outsideUs", "outsideNs", node.startUnixNano) }
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
            if let total = metric.total { text.member("total") { $0.append(total) } }
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
            text.member("resource") { $0.append(json: series.origin.attributesText) }
            if !series.origin.schemaURL.isEmpty { text.member("schemaUrl", series.origin.schemaURL) }
            if series.origin.droppedAttributes > 0 {
                text.member("droppedAttributes", series.origin.droppedAttributes)
            }
            if let scope = series.scope { text.member("scope") { $0.append(scope) } }
            if !series.metadataText.isEmpty { text.member("metadata") { $0.append(json: series.metadataText) } }
            if let distribution = series.distribution { text.member("distribution") { $0.append(distribution) } }
            if let total = series.total { text.member("total") { $0.append(total) } }
            text.member("points") { $0.array(series.points) { $0.append($1) } }
        }
    }

    /// Appends a total. `exact` is the value that `value` rounds.
    private mutating func append(_ total: MetricTotal) {
        object { text in
            text.appendNumber(total.value, integer: total.integer)
            if total.fromUnixNano > 0 { text.member("fromUs", total.fromUnixNano / 1_000) }
            if total.throughUnixNano > 0 { text.member("throughUs", total.throughUnixNano / 1_000) }
            text.member("series", total.series)
        }
    }

    private mutating func appendNumber(_ value: Double?, integer: Int128?) {
        if let integer, integer.magnitude <= Int128(JSONText.exactLimit.magnitude).magnitude {
            member("value", Int64(integer))
        } else if let value, value.isFinite {
            member("value") { $0.append(.double(value)) }
            if let integer { member("exact", String(integer)) }
        } else if let value {
            member("exact", value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
        }
    }

    /// Appends a point. `value` is what a chart draws; `exact` is the value that `value` rounds.
    private mutating func append(_ point: MetricSeries.Point) {
        object { text in
            text.appendTime("timeUs", "timeNs", point.timeUnixNano)
            if point.startUnixNano > 0 { text.appendTime("startUs", "startNs", point.startUnixNano) }
            text.appendNumber(point.value, integer: point.integer.map { Int128($0) })
            if let count = point.count { text.member("count") { $0.append(.int(Int64(count))) } }
            if !point.contentsText.isEmpty { text.member("contents") { $0.append(json: point.contentsText) } }
            if !point.exemplarsText.isEmpty { text.member("exemplars") { $0.append(json: point.exemplarsText) } }
        }
    }

    private mutating func append(_ distribution: Distribution) {
        object { text in
            if let median = distribution.median { text.member("p50") { $0.append(.double(median)) } }
            if let p95 = distribution.p95 { text.member("p95") { $0.append(.double(p95)) } }
            text.member("buckets") { text in
                text.array(distribution.buckets) { text, bucket in
                    text.array([bucket.from, bucket.to, bucket.count]) { $0.append(.double($1)) }
                }
            }
        }
    }
}
