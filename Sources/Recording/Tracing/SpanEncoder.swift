import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeWire

/// A span that is being written: each thing that is set goes at once into its final OTLP form.
///
/// What may still change (status, end, dropped counts) is written when the span ends. It is a plain value, which only
/// one thread may change at a time.
struct SpanEncoder {
    /// The fields so far: the head, then attributes, events and links.
    private var record: RecordEncoder
    private let startTimeUnixNano: UInt64
    /// The position of the name, and the name that replaces it at the end.
    private let nameRange: Range<Int>
    private var laterName: String?
    private var status = SpanStatus.unset
    private var eventCount = 0
    private var droppedEvents: UInt32 = 0
    private var linkCount = 0
    private var droppedLinks: UInt32 = 0
    private(set) var isFinished = false
    /// True if its trace was sampled out: the record is for the flight recorder.
    private let isSampledOut: Bool

    /// Kept free of attributes, events and links, so that the end, the name and the status always have room.
    private static let tailReserve = 1_024
    /// Bytes of a name that are written at the start. A longer one is written at the end, where it can be cut.
    private static let nameRoom = 256

    /// Begins in memory that belongs to the caller and outlives the draft.
    @inline(__always)
    init(
        name: String, context: SpanContext, parent: SpanID, parentIsRemote: Bool, kind: SpanKind,
        startTimeUnixNano: UInt64, core: RecordingCore, memory: UnsafeMutableRawPointer, capacity: Int,
    ) {
        self.startTimeUnixNano = startTimeUnixNano
        isSampledOut = !context.flags.contains(.sampled)
        var fields = FieldBuffer(borrowing: memory, capacity: capacity)
        Self.writeHead(
            of: context, parent: parent, parentIsRemote: parentIsRemote, kind: kind,
            startTimeUnixNano: startTimeUnixNano, into: &fields)
        let nameStart = fields.count
        let isWritten = name.withUTF8Bytes { name in
            guard name.count <= Self.nameRoom, Self.isAdmissible(name: name, core) else { return false }
            fields.append(WireSize.field(size: name.count)) { $0.field(SpanField.name, UnsafeRawBufferPointer(name)) }
            return true
        }
        if !isWritten {
            let name = core.admitted(name)
            let start = name.truncated(toUTF8: Self.nameRoom)
            fields.append(WireSize.field(start)) { $0.field(SpanField.name, start) }
            laterName = name
        }
        nameRange = nameStart..<fields.count
        record = RecordEncoder(after: fields, attributes: SpanField.attributes, reserve: Self.tailReserve, core: core)
        let snapshot = core.ambient.snapshot
        withExtendedLifetime(snapshot) { record.append(snapshot.spanFields, of: snapshot, core: core) }
    }

    /// Frees what the fields have grown into; the draft must not be used after.
    func deallocate() {
        record.deallocate()
    }

    /// Completes the record; from here on nothing changes. It is stored only if `period` is the current one.
    ///
    /// - Parameter isGiven: Whether the time may be any other than now. Storage ages a record from when it is made.
    mutating func finish(
        at timeUnixNano: UInt64, isGiven: Bool, core: RecordingCore, scope: ScopeNumber, period: UInt64,
        priority: Priority,
    ) {
        guard !isFinished else { return }
        isFinished = true
        guard core.periods.number == period else { return }
        let end = max(timeUnixNano, startTimeUnixNano)
        if record.isTooLarge { reportSize(core) }
        if laterName != nil { record.fields.remove(nameRange) }
        Self.writeTail(
            name: laterName, status: status, endTimeUnixNano: end, droppedAttributes: record.droppedAttributes,
            droppedEvents: droppedEvents, droppedLinks: droppedLinks, recordSize: core.limits.recordSize,
            into: &record.fields)
        let priority = status.isError ? max(priority, .high) : priority
        let made = isGiven || end != timeUnixNano ? core.clock.now : end
        if isSampledOut {
            finishSampledOut(lasting: end - startTimeUnixNano, core, scope, period, priority, madeAt: made)
        } else {
            let header = RecordHeader(kind: .span, priority: priority, scope: scope, timeUnixNano: made)
            if core.processors == nil {
                core.sink.append(bytes, header: header)
            } else {
                core.finish(bytes, header: header, period: period, isStored: true)
            }
        }
    }

    /// Passes the record on to the flight recorder, and asks that to keep the session if the span failed or was slow.
    private func finishSampledOut(
        lasting duration: UInt64, _ core: RecordingCore, _ scope: ScopeNumber, _ period: UInt64, _ priority: Priority,
        madeAt made: UInt64,
    ) {
        let header = RecordHeader(
            kind: .span, priority: min(priority, .high), scope: scope, timeUnixNano: made, isSampledOut: true)
        // The recorder may have been turned off since the span began.
        let isStored = core.recordsSampledOut
        if core.processors != nil {
            core.finish(bytes, header: header, period: period, isStored: isStored)
        } else if isStored {
            core.sink.append(bytes, header: header)
        }
        guard isStored, let recorder = core.recorder else { return }
        if let trigger = recorder.trigger(ofSpan: bytes, isError: status.isError, lasting: duration) {
            core.keepRecording(trigger, at: made, context: SpanContext(wire: bytes))
        }
    }

    mutating func setName(_ name: String, core: RecordingCore) {
        laterName = name.withUTF8Bytes { Self.isAdmissible(name: $0, core) } ? name : core.admitted(name)
    }

    @inline(__always)
    private static func isAdmissible(name: UnsafeBufferPointer<UInt8>, _ core: RecordingCore) -> Bool {
        core.isAdmissible(name, key: UnsafeBufferPointer(start: nil, count: 0))
    }

    private var name: String {
        if let laterName { return laterName }
        var reader = WireReader(UnsafeRawBufferPointer(rebasing: bytes[nameRange]))
        guard case .bytes(let text) = reader.next()?.value else { return "" }
        return String(decoding: text, as: UTF8.self)
    }

    /// The fields so far.
    @inline(__always)
    var bytes: UnsafeRawBufferPointer { record.fields.bytes }

    /// `ok` is final, an error replaces `unset` and an earlier error, and `unset` changes nothing (specification,
    /// "Set Status").
    mutating func setStatus(_ new: SpanStatus, core: RecordingCore) {
        switch (status, new) {
        case (.ok, _), (_, .unset): break
        case (_, .error(let description)): status = .error(core.admitted(description))
        case (_, .ok): status = .ok
        }
    }

    @inline(__always)
    mutating func setAttribute(_ key: String, _ value: AttributeValue, core: RecordingCore) {
        if !isFinished { record.setAttribute(key, value, core: core) }
    }

    /// Removes an attribute that was set on this span. One that all records have stays.
    mutating func removeAttribute(_ key: String, core: RecordingCore) {
        if !isFinished { record.removeAttribute(key, core: core) }
    }

    private func reportSize(_ core: RecordingCore) {
        core.notices.report(.largeSpan) {
            "The span \"\(core.admitted(name: name))\" is too large: a record can have \(core.limits.recordSize) bytes. "
                + "Its largest attributes, or events and links, are dropped and counted on the span. Record less."
        }
    }

    mutating func addEvent(_ event: SpanEvent, core: RecordingCore) {
        guard !isFinished else { return }
        guard eventCount < core.limits.eventCount else {
            droppedEvents &+= 1
            return
        }
        let (attributes, dropped) = core.admitted(event.attributes, limit: core.limits.attributeCountPerEventOrLink)
        let admitted = SpanEvent(
            name: core.admitted(event.name), timeUnixNano: event.timeUnixNano, attributes: attributes,
            droppedAttributesCount: event.droppedAttributesCount &+ dropped)
        if record.append(SpanField.events, size: admitted.wireSize, { admitted.write(to: &$0) }) {
            eventCount += 1
        } else {
            droppedEvents &+= 1
        }
    }

    mutating func addLink(_ link: SpanLink, core: RecordingCore) {
        guard !isFinished else { return }
        guard linkCount < core.limits.linkCount else {
            droppedLinks &+= 1
            return
        }
        let (attributes, dropped) = core.admitted(link.attributes, limit: core.limits.attributeCountPerEventOrLink)
        let admitted = SpanLink(
            context: link.context, attributes: attributes,
            droppedAttributesCount: link.droppedAttributesCount &+ dropped)
        if record.append(SpanField.links, size: admitted.wireSize, { admitted.write(to: &$0) }) {
            linkCount += 1
        } else {
            droppedLinks &+= 1
        }
    }
}
