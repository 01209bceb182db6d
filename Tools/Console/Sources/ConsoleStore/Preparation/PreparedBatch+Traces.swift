import AstrolabeTelemetryModel
import ConsoleModel

extension PreparedBatch {
    /// Prepares the rows of spans. Rejects and counts spans without a valid trace id and span id.
    init(traces groups: [ResourceGroup<SpanData>], milestones: MilestoneFinder, times: RecordTimes) {
        let count = groups.reduce(0) { $0 + $1.recordCount }
        spans.reserveCapacity(count)
        text.bytes.reserveCapacity(count * 256)
        for group in groups {
            let resource = add(group.resource, schemaURL: group.schemaURL)
            for scopeGroup in group.scopes {
                let scope = add(scopeGroup.scope, schemaURL: scopeGroup.schemaURL)
                for span in scopeGroup.records { add(span, resource: resource, scope: scope, milestones, times) }
            }
        }
    }

    private mutating func add(
        _ span: SpanData, resource: Int32, scope: Int32, _ milestones: MilestoneFinder, _ times: RecordTimes,
    ) {
        guard span.context.isValid else {
            rejection.add(because: "span \"\(span.name)\" has an invalid trace id or span id; both must be non-zero")
            return
        }
        let facts = IndexedAttributes(span.attributes)
        let (start, duration) = times.interval(of: span)
        let category = RecordCategory(span, facts)
        let ownSession = sessions.index(of: facts.session)
        spans.append(
            SpanRow(
                traceID: span.context.traceID,
                span: Int64(bitPattern: span.context.spanID.value),
                parent: Int64(bitPattern: span.parentSpanID.value),
                session: ownSession >= 0 ? ownSession : resources[Int(resource)].session,
                screen: screens.index(of: facts.screen),
                resource: resource,
                scope: scope,
                kind: UInt8(clamping: span.kind?.rawValue ?? 0),
                category: category,
                status: span.status.code,
                isFailedRequest: category == .request && (span.status.isError || facts.httpStatus >= 400),
                start: Int64(nanoseconds: start),
                duration: Int64(nanoseconds: duration),
                name: slice(plain: span.name),
                attributes: slice(span.attributes),
                more: slice { Self.appendDetails(of: span, start: start, duration: duration, to: &$0) },
                flags: span.flags,
                hasTime: start == span.startTimeUnixNano || start == span.endTimeUnixNano,
                milestone: milestones.milestone(span.name, span.attributes),
            )
        )
    }

    /// The fields that few spans have: events, links, status message, trace state, dropped counts, and the sender's
    /// start and end if they are not those of the row.
    ///
    /// Times of events are relative to the start of the span.
    private static func appendDetails(
        of span: SpanData, start: UInt64, duration: UInt64, to text: inout JSONText,
    ) {
        let isMoved = start != span.startTimeUnixNano || start &+ duration != span.endTimeUnixNano
        guard isMoved || span.hasDetails else { return }
        text.object { text in
            if isMoved {
                text.member("sentStart") { $0.append(exact: span.startTimeUnixNano) }
                text.member("sentEnd") { $0.append(exact: span.endTimeUnixNano) }
            }
            if !span.statusMessage.isEmpty { text.member("message", span.statusMessage) }
            if !span.context.traceState.isEmpty { text.member("state", span.context.traceState.header) }
            if !span.events.isEmpty {
                text.member("events") { text in
                    text.array(span.events) { $0.append($1, since: start) }
                }
            }
            if !span.links.isEmpty {
                text.member("links") { $0.array(span.links) { $0.append($1) } }
            }
            if span.droppedAttributesCount > 0 { text.member("droppedAttributes", span.droppedAttributesCount) }
            if span.droppedEventsCount > 0 { text.member("droppedEvents", span.droppedEventsCount) }
            if span.droppedLinksCount > 0 { text.member("droppedLinks", span.droppedLinksCount) }
        }
    }
}

extension JSONText {
    fileprivate mutating func append(_ event: SpanEvent, since start: UInt64) {
        object { text in
            text.member("name", event.name)
            text.member("offset", Int64(nanoseconds: event.timeUnixNano) - Int64(nanoseconds: start))
            text.member("attributes") { $0.append(event.attributes) }
            if event.droppedAttributesCount > 0 { text.member("droppedAttributes", event.droppedAttributesCount) }
        }
    }

    fileprivate mutating func append(_ link: SpanLink) {
        object { text in
            text.member("traceId", link.context.traceID.hex)
            text.member("spanId", link.context.spanID.hex)
            text.member("attributes") { $0.append(link.attributes) }
            if !link.context.traceState.isEmpty { text.member("state", link.context.traceState.header) }
            if link.flags > 0 { text.member("flags", link.flags) }
            if link.droppedAttributesCount > 0 { text.member("droppedAttributes", link.droppedAttributesCount) }
        }
    }
}

extension RecordCategory {
    fileprivate init(_ span: SpanData, _ facts: IndexedAttributes) {
        switch span.kind {
        case .server?, .consumer?: self = .server
        case .client? where facts.hasHTTPMethod: self = .request
        default: self = facts.hasViewName ? .view : .span
        }
    }
}

extension SpanStatus {
    /// The status code of OTLP: 0 unset, 1 ok, 2 error.
    fileprivate var code: UInt8 {
        switch self {
        case .unset: 0
        case .ok: 1
        case .error: 2
        }
    }
}

extension SpanData {
    fileprivate var statusMessage: String {
        if case .error(let message) = status { message } else { statusNote }
    }

    fileprivate var hasDetails: Bool {
        !statusMessage.isEmpty || !events.isEmpty || !links.isEmpty || !context.traceState.isEmpty
            || droppedAttributesCount > 0 || droppedEventsCount > 0 || droppedLinksCount > 0
    }
}
