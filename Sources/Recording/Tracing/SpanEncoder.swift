import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeWire

/// A span that is being written: each thing that is set goes at once into its final OTLP form.
///
/// What may still change (status, end, dropped counts) is written when the span ends. It is a plain value, which only
/// one thread may change at a time.
struct SpanEncoder {
    /// The fields so far, of which attributes, events and links begin at `fieldsStart`.
    private var fields: FieldBuffer
    private let fieldsStart: Int
    private let startTimeUnixNano: UInt64
    /// Where the name is written, and the name that replaces it at the end.
    private let nameRange: Range<Int>
    private var laterName: String?
    private var status = SpanStatus.unset
    private var keyFilter: UInt64
    /// The number of attributes that count: not those that the SDK itself sets on all records.
    private var attributeCount: Int
    /// Where the SDK's own attributes of all records end, and where those of the app end.
    private var ownAmbientEnd: Int
    private var ambientEnd: Int
    private var droppedAttributes: UInt32 = 0
    private var eventCount = 0
    private var droppedEvents: UInt32 = 0
    private var linkCount = 0
    private var droppedLinks: UInt32 = 0
    private(set) var isFinished = false
    /// Whether it ends without being stored.
    private let isRecordOnly: Bool

    /// Kept free of attributes, events and links, so that the end, the name and the status always have room.
    private static let tailReserve = 1_024
    /// Bytes of a name that are written at the start. A longer one is written at the end, where it can be cut.
    private static let nameRoom = 256

    /// Begins in memory that belongs to the caller and outlives the draft.
    init(
        name: String, context: SpanContext, parent: SpanID, parentIsRemote: Bool, kind: SpanKind,
        startTimeUnixNano: UInt64, isRecordOnly: Bool, core: RecordingCore, memory: UnsafeMutableRawPointer,
        capacity: Int,
    ) {
        self.startTimeUnixNano = startTimeUnixNano
        self.isRecordOnly = isRecordOnly
        var fields = FieldBuffer(borrowing: memory, capacity: capacity)
        Self.writeHead(
            of: context, parent: parent, parentIsRemote: parentIsRemote, kind: kind,
            startTimeUnixNano: startTimeUnixNano, into: &fields, )
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
        fieldsStart = fields.count
        let snapshot = core.ambient.snapshot
        keyFilter = snapshot.keyFilter
        attributeCount = snapshot.appCount
        ownAmbientEnd = fieldsStart + snapshot.ownSize
        ambientEnd = fieldsStart + snapshot.spanFields.count
        snapshot.spanFields.withUnsafeBytes { source in fields.append(source.count) { $0.bytes(source) } }
        self.fields = fields
    }

    /// Frees what the fields have grown into; the draft must not be used after.
    func deallocate() {
        fields.deallocate()
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
        // Only if the limit is so small that the attributes of all records take it up.
        while !fits(0, core), dropLargestAttribute(over: 0) {}
        if laterName != nil { fields.remove(nameRange) }
        Self.writeTail(
            name: laterName, status: status, endTimeUnixNano: end, droppedAttributes: droppedAttributes,
            droppedEvents: droppedEvents, droppedLinks: droppedLinks, recordSize: core.limits.recordSize,
            into: &fields, )
        let priority = status.isError ? max(priority, .high) : priority
        let made = isGiven || end != timeUnixNano ? core.clock.now : end
        let header = RecordHeader(kind: .span, priority: priority, scope: scope, timeUnixNano: made)
        if core.processors == nil, !isRecordOnly {
            core.sink.append(fields.bytes, header: header)
        } else {
            core.finish(fields.bytes, header: header, period: period, isRecordOnly: isRecordOnly)
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
        var reader = WireReader(UnsafeRawBufferPointer(rebasing: fields.bytes[nameRange]))
        guard case .bytes(let text) = reader.next()?.value else { return "" }
        return String(decoding: text, as: UTF8.self)
    }

    /// The fields so far.
    @inline(__always)
    var bytes: UnsafeRawBufferPointer { fields.bytes }

    /// `ok` is final, an error replaces `unset` and an earlier error, and `unset` changes nothing (specification,
    /// "Set Status").
    mutating func setStatus(_ new: SpanStatus, core: RecordingCore) {
        switch (status, new) {
        case (.ok, _), (_, .unset): break
        case (_, .error(let description)): status = .error(core.admitted(description))
        case (_, .ok): status = .ok
        }
    }

    mutating func setAttribute(_ key: String, _ value: String, core: RecordingCore) {
        let isWritten =
            key.utf8.withContiguousStorageIfAvailable { key in
                value.utf8.withContiguousStorageIfAvailable { text in
                    guard core.isAdmissible(text, key: key) else { return false }
                    append(key, valueSize: WireSize.field(size: text.count), core) {
                        $0.field(AnyValueField.string, UnsafeRawBufferPointer(text))
                    }
                    return true
                } ?? false
            } ?? false
        if !isWritten { write(.string(core.admitted(value, key: key)), key: key, core) }
    }

    mutating func setAttribute(_ key: String, _ value: AttributeValue, core: RecordingCore) {
        switch value {
        case .string(let text): setAttribute(key, text, core: core)
        case .bool: write(value, key: key, core)
        case .int, .double:
            let isSecret = core.redactor.isSecret(value, key: key)
            write(isSecret ? .string(Redactor.replacement) : value, key: key, core)
        case .empty, .bytes, .array, .map: write(core.admitted(value, key: key), key: key, core)
        }
    }

    private mutating func write(_ value: AttributeValue, key: String, _ core: RecordingCore) {
        let isWritten = key.withUTF8Bytes { key in
            guard core.isAdmissible(key: key) else { return false }
            append(key, valueSize: value.wireSize, core) { value.write(to: &$0) }
            return true
        }
        if !isWritten { write(value, changedKey: core.admitted(key: key), core) }
    }

    @inline(never)
    private mutating func write(_ value: AttributeValue, changedKey key: String, _ core: RecordingCore) {
        key.withUTF8Bytes { key in append(key, valueSize: value.wireSize, core) { value.write(to: &$0) } }
    }

    /// Writes an attribute in place of an earlier one with its key, or leaves it out and counts it where the limits say
    /// so. A key must not be empty (specification, "Attribute").
    @inline(__always)
    private mutating func append(
        _ key: UnsafeBufferPointer<UInt8>, valueSize: Int, _ core: RecordingCore,
        _ writeValue: (inout WireWriter) -> Void,
    ) {
        guard !isFinished, !key.isEmpty else { return }
        let bit = AttributeFields.filterBit(of: key)
        if keyFilter & bit != 0 { removeAttribute(key, from: fieldsStart) }
        let pairSize = WireSize.field(size: key.count) + WireSize.field(size: valueSize)
        let size = WireSize.field(size: pairSize)
        guard attributeCount < core.limits.attributeCount && fits(size, core) || makeRoom(for: size, core) else {
            droppedAttributes &+= 1
            return
        }
        keyFilter |= bit
        attributeCount &+= 1
        fields.append(size) { writer in
            writer.header(SpanField.attributes, size: pairSize)
            writer.field(KeyValueField.key, UnsafeRawBufferPointer(key))
            writer.header(KeyValueField.value, size: valueSize)
            writeValue(&writer)
        }
    }

    /// Removes an attribute that was set on this span. One that all records have stays.
    mutating func removeAttribute(_ key: String, core: RecordingCore) {
        guard !isFinished else { return }
        core.admitted(key: key).withUTF8Bytes { removeAttribute($0, from: ambientEnd) }
    }

    private mutating func removeAttribute(_ key: UnsafeBufferPointer<UInt8>, from start: Int) {
        let bytes = UnsafeRawBufferPointer(rebasing: fields.bytes[start...])
        if let range = AttributeFields.range(of: key, tag: AttributeFields.spanTag, in: bytes) {
            remove(range.lowerBound + start..<range.upperBound + start)
        }
    }

    /// Removes the field of an attribute.
    private mutating func remove(_ range: Range<Int>) {
        fields.remove(range)
        if range.lowerBound < ownAmbientEnd { ownAmbientEnd -= range.count } else { attributeCount &-= 1 }
        if range.lowerBound < ambientEnd { ambientEnd -= range.count }
    }

    /// Makes room for one more attribute. Returns false if the attribute itself must be left out.
    ///
    /// If there are too many attributes, one that the app sets on all records is dropped. If the record is too large,
    /// attributes that are larger than the new one are dropped.
    @inline(never)
    private mutating func makeRoom(for size: Int, _ core: RecordingCore) -> Bool {
        if attributeCount >= core.limits.attributeCount, !dropLastAmbientAttribute() { return false }
        guard !fits(size, core) else { return true }
        reportSize(core)
        while !fits(size, core) {
            guard dropLargestAttribute(over: size) else { return false }
        }
        return true
    }

    private mutating func dropLastAmbientAttribute() -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: fields.bytes[ownAmbientEnd..<ambientEnd])
        guard let range = AttributeFields.last(in: bytes) else { return false }
        remove(range.lowerBound + ownAmbientEnd..<range.upperBound + ownAmbientEnd)
        droppedAttributes &+= 1
        return true
    }

    private mutating func dropLargestAttribute(over size: Int) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: fields.bytes[fieldsStart...])
        guard let range = AttributeFields.largest(tag: AttributeFields.spanTag, in: bytes), range.count > size else {
            return false
        }
        remove(range.lowerBound + fieldsStart..<range.upperBound + fieldsStart)
        droppedAttributes &+= 1
        return true
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
            droppedAttributesCount: event.droppedAttributesCount &+ dropped, )
        let size = admitted.wireSize
        guard fits(WireSize.field(size: size), core) else {
            reportSize(core)
            droppedEvents &+= 1
            return
        }
        eventCount += 1
        fields.append(WireSize.field(size: size)) { writer in
            writer.header(SpanField.events, size: size)
            admitted.write(to: &writer)
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
            droppedAttributesCount: link.droppedAttributesCount &+ dropped, )
        let size = admitted.wireSize
        guard fits(WireSize.field(size: size), core) else {
            reportSize(core)
            droppedLinks &+= 1
            return
        }
        linkCount += 1
        fields.append(WireSize.field(size: size)) { writer in
            writer.header(SpanField.links, size: size)
            admitted.write(to: &writer)
        }
    }

    @inline(__always)
    private func fits(_ size: Int, _ core: RecordingCore) -> Bool {
        fields.count &+ size &+ Self.tailReserve <= core.limits.recordSize
    }
}
