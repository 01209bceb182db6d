import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel

extension SpanData {
    /// Reads a row of `StoreExport.spans`; `nil` if it cannot be read.
    init?(_ row: ExportRow) {
        var row = row
        let (traceID, spanID, parent) = (row.traceID(), SpanID(row.bits()), SpanID(row.bits()))
        let (flags, name, kind) = (row.uint32(), row.text(), row.integer())
        let (start, duration, status) = (row.nanoseconds(), row.nanoseconds(), row.integer())
        let (attributes, details) = (row.attributes(), row.structure())
        guard row.isIntact else { return nil }
        let message = details["message"].stringValue ?? ""
        self.init(
            context: SpanContext(
                traceID: traceID, spanID: spanID, flags: TraceFlags(rawValue: UInt8(truncatingIfNeeded: flags)),
                traceState: TraceState(stored: details["state"])),
            flags: flags, parentSpanID: parent, name: name,
            kind: Int32(exactly: kind).flatMap { SpanKind(rawValue: $0) }, startTimeUnixNano: start,
            endTimeUnixNano: details["sentEnd"] == .empty ? start.clampedSum(duration) : details["sentEnd"].uint64,
            attributes: attributes,
            droppedAttributesCount: details["droppedAttributes"].uint32,
            events: details["events"].elements.map { SpanEvent($0, since: start) },
            droppedEventsCount: details["droppedEvents"].uint32, links: details["links"].elements.map { SpanLink($0) },
            droppedLinksCount: details["droppedLinks"].uint32,
            status: status == 2 ? .error(message) : status == 1 ? .ok : .unset)
        if status != 2 { statusNote = message }
    }
}

extension SpanEvent {
    fileprivate init(_ stored: AttributeValue, since start: UInt64) {
        let time = Int64(nanoseconds: start).clampedSum(stored["offset"].intValue ?? 0)
        self.init(
            name: stored["name"].stringValue ?? "", timeUnixNano: UInt64(clamping: time),
            attributes: stored["attributes"].members ?? [:], droppedAttributesCount: stored["droppedAttributes"].uint32,
        )
    }
}

extension SpanLink {
    fileprivate init(_ stored: AttributeValue) {
        let flags = stored["flags"].uint32
        self.init(
            context: SpanContext(
                traceID: TraceID(stored: stored["traceId"]), spanID: SpanID(stored: stored["spanId"]),
                flags: TraceFlags(rawValue: UInt8(truncatingIfNeeded: flags)),
                traceState: TraceState(stored: stored["state"]), isRemote: flags & 0x300 == 0x300),
            flags: flags, attributes: stored["attributes"].members ?? [:],
            droppedAttributesCount: stored["droppedAttributes"].uint32)
    }
}

extension LogRecordData {
    /// Reads a row of `StoreExport.logs`; `nil` if it cannot be read.
    init?(_ row: ExportRow) {
        var row = row
        let (traceID, spanID, flags) = (row.traceID(), SpanID(row.bits()), row.uint32())
        let (name, time, observed) = (row.text(), row.nanoseconds(), row.nanoseconds())
        let sent = row.optionalInteger().map { UInt64(clamping: $0) }
        let (severity, severityText, dropped) = (row.integer(), row.text(), row.uint32())
        let (body, attributes) = (row.value(), row.attributes())
        guard row.isIntact else { return nil }
        self.init(
            timeUnixNano: sent ?? time, observedTimeUnixNano: observed, severityNumber: Int32(clamping: severity),
            severityText: severityText, eventName: name, body: body, attributes: attributes,
            droppedAttributesCount: dropped, flags: TraceFlags(rawValue: UInt8(truncatingIfNeeded: flags)),
            traceID: traceID, spanID: spanID)
        reservedFlags = flags & ~0xFF
    }

    /// Reads a row of `StoreExport.replays`; `nil` if it cannot be read.
    init?(replay row: ExportRow) {
        var row = row
        let time = row.nanoseconds()
        var attributes = row.attributes()
        let frame = row.structure()
        guard row.isIntact else { return nil }
        // Only these attributes are in the frame alone.
        attributes[AttributeKey.astrolabeReplayNodes] = frame["nodes"]
        if frame["removed"] != .empty { attributes[AttributeKey.astrolabeReplayRemoved] = frame["removed"] }
        self.init(timeUnixNano: time, eventName: EventName.replay, attributes: attributes)
    }
}

extension AttributeValue {
    /// The member of a structure; `.empty` if there is none.
    subscript(member: String) -> AttributeValue { members?[member] ?? .empty }

    var uint32: UInt32 { intValue.map { UInt32(clamping: $0) } ?? 0 }

    /// A number of things, which ``JSONText/structure(in:)`` returns as text beyond 2^63.
    var uint64: UInt64 { intValue.map { UInt64(clamping: $0) } ?? stringValue.flatMap { UInt64($0) } ?? 0 }
}

extension TraceState {
    fileprivate init(stored value: AttributeValue) {
        self = value.stringValue.flatMap { TraceState(header: $0) } ?? TraceState()
    }
}

extension TraceID {
    init(stored value: AttributeValue) { self = value.stringValue.flatMap { TraceID(hex: $0) } ?? .invalid }
}

extension SpanID {
    init(stored value: AttributeValue) { self = value.stringValue.flatMap { SpanID(hex: $0) } ?? .invalid }
}
