import AstrolabeSemantics
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
                trigger: triggers.index(of: facts.trigger),
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

extension PreparedBatch {
    /// Prepares the rows of events and log records.
    init(logs groups: [ResourceGroup<LogRecordData>], milestones: MilestoneFinder, times: RecordTimes) {
        var copies: [StableHash: UInt64] = [:]
        let count = groups.reduce(0) { $0 + $1.recordCount }
        logs.reserveCapacity(count)
        text.bytes.reserveCapacity(count * 320)
        for group in groups {
            let resource = add(group.resource, schemaURL: group.schemaURL)
            for scopeGroup in group.scopes {
                let scope = add(scopeGroup.scope, schemaURL: scopeGroup.schemaURL)
                for record in scopeGroup.records {
                    add(record, resource: resource, scope: scope, milestones, times, &copies)
                }
            }
        }
    }

    /// - Parameter copies: How many equal records the request had so far, by their hash.
    private mutating func add(
        _ record: LogRecordData, resource: Int32, scope: Int32, _ milestones: MilestoneFinder, _ times: RecordTimes,
        _ copies: inout [StableHash: UInt64],
    ) {
        let time = times.time(of: record)
        if record.eventName == EventName.replay {
            return add(replay: record, time: time, resource: resource, scope: scope)
        }
        let facts = IndexedAttributes(record.attributes)
        let ownSession = sessions.index(of: facts.session)
        let name = slice(plain: record.eventName)
        let body = record.body == .empty ? Slice() : slice { $0.append(record.body) }
        let attributes = slice(record.attributes)
        let severityText = slice(plain: record.severityText)
        let identity = identity(of: record, facts, resource: resource, scope: scope, from: name, &copies)
        logs.append(
            LogRow(
                uid: identity.uid,
                original: identity.original,
                traceID: record.traceID,
                span: Int64(bitPattern: record.spanID.value),
                session: ownSession >= 0 ? ownSession : resources[Int(resource)].session,
                screen: screens.index(of: facts.screen),
                // The event about a promotion is there even if no record of the session was sent.
                trigger: triggers.index(of: record.eventName == EventName.recorderPromotion ? nil : facts.trigger),
                resource: resource,
                scope: scope,
                category: RecordCategory(record),
                severity: record.severityNumber,
                time: Int64(nanoseconds: time),
                sent: time == record.timeUnixNano ? nil : Int64(nanoseconds: record.timeUnixNano),
                name: name,
                body: body,
                attributes: attributes,
                observed: Int64(nanoseconds: record.hasTime ? record.observedTimeUnixNano : time),
                flags: UInt32(record.flags.rawValue) | record.reservedFlags,
                severityText: severityText,
                dropped: record.droppedAttributesCount,
                milestone: milestones.milestone(record.eventName, record.attributes),
            )
        )
    }

    /// Returns the record's unique id: its `log.record.uid`, or else a hash of all that it has and of the number of
    /// equal records before it in the request.
    ///
    /// So equal records stay as many as were sent, and a request that is sent again adds none.
    ///
    /// - Returns: The id, and the id of the first of the equal records if this is a later one.
    private mutating func identity(
        of record: LogRecordData, _ facts: IndexedAttributes, resource: Int32, scope: Int32, from start: Slice,
        _ copies: inout [StableHash: UInt64],
    ) -> (uid: StableHash, original: StableHash?) {
        if let uid = facts.recordUID { return (StableHash("uid:" + uid), nil) }
        let content = contentHash(of: record, resource: resource, scope: scope, from: start)
        let earlier = copies[content, default: 0]
        copies[content] = earlier + 1
        guard earlier > 0 else { return (content, nil) }
        return (StableHash("copy \(earlier) of \(content.high) \(content.low)"), content)
    }

    private mutating func contentHash(
        of record: LogRecordData, resource: Int32, scope: Int32, from start: Slice,
    ) -> StableHash {
        let end = text.bytes.count
        text.append(json: record.traceID.hex)
        for number in [
            // The times as they are stored, so that a record that comes back from an export is the same.
            record.spanID.value, UInt64(record.storedTime), UInt64(Int64(nanoseconds: record.observedTimeUnixNano)),
            UInt64(UInt32(bitPattern: record.severityNumber)), resources[Int(resource)].hash.high,
            scopes[Int(scope)].hash.high,
        ] {
            text.append(number)
            text.append(raw: " ")
        }
        text.append(record.severityText)
        let flags = UInt32(record.flags.rawValue) | record.reservedFlags
        // Few records have these, so the hashes of earlier versions stay valid.
        if flags > 0 || record.droppedAttributesCount > 0 {
            text.append(flags)
            text.append(raw: " ")
            text.append(record.droppedAttributesCount)
        }
        defer { text.bytes.removeLast(text.bytes.count - end) }
        return text.bytes.withUnsafeBytes { StableHash(UnsafeRawBufferPointer(rebasing: $0[Int(start.start)...])) }
    }
}

extension LogRecordData {
    fileprivate var hasTime: Bool { timeUnixNano > 0 || observedTimeUnixNano > 0 }

    /// When it happened or, if that is unknown, when the sender saw it; 0 if it says neither.
    fileprivate var storedTime: Int64 { Int64(nanoseconds: timeUnixNano > 0 ? timeUnixNano : observedTimeUnixNano) }
}

extension RecordCategory {
    fileprivate init(_ record: LogRecordData) {
        self = record.eventName.isEmpty ? .log : record.eventName == EventName.appCrash ? .crash : .event
    }
}

extension PreparedBatch {
    /// Adds a row for a replay frame. Rejects and counts events that are not valid frames.
    mutating func add(replay record: LogRecordData, time: UInt64, resource: Int32, scope: Int32) {
        let facts = IndexedAttributes(record.attributes)
        let ownSession = sessions.index(of: facts.session)
        let session = ownSession >= 0 ? ownSession : resources[Int(resource)].session
        let end = text.bytes.count
        do throws(ReplayFrame.ValidationError) {
            guard session >= 0 else { throw .noSession }
            let frame = try ReplayFrame(record.attributes, timeUnixNano: time)
            let content = slice { $0.append(frame) }
            guard content.count <= ReplayFrame.byteLimit else { throw .tooLarge(bytes: Int(content.count)) }
            let small = record.attributes.filter { !ReplayFrame.largeKeys.contains($0.key) }
            replays.append(
                ReplayRow(
                    uid: StableHash(facts.recordUID.map { "uid:" + $0 } ?? "\(frame.sequence) \(frame.recording)"),
                    session: session,
                    screen: screens.index(of: facts.screen),
                    resource: resource,
                    scope: scope,
                    recording: frame.recording,
                    sequence: frame.sequence,
                    isKey: frame.isKey,
                    time: Int64(nanoseconds: time),
                    frame: content,
                    attributes: slice(Attributes(uniqueElements: small)),
                )
            )
        } catch {
            text.bytes.removeLast(text.bytes.count - end)
            rejection.add(because: error.description)
        }
    }
}
