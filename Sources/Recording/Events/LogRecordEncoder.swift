import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeWire

/// An event or a log line that is being written: one message `opentelemetry.proto.logs.v1.LogRecord`.
///
/// The number of dropped attributes and the identifier are written last.
struct LogRecordEncoder {
    private var record: RecordEncoder
    private let name: String

    /// Calls `body` with a record that has no attributes yet, in memory on the stack.
    ///
    /// - Parameters:
    ///   - head: Name and body are redacted and limited here.
    ///   - dropped: How many attributes have been dropped before.
    ///   - uncounted: How many of the attributes that will be set do not count.
    static func encode(
        _ head: LogRecordHead, dropped: UInt32 = 0, uncounted: Int = 0, core: RecordingCore,
        _ body: (inout LogRecordEncoder) -> Void,
    ) {
        LockRule.checkCall("recording an event")
        withUnsafeTemporaryAllocation(byteCount: stackSize, alignment: 8) { memory in
            guard let base = memory.baseAddress else { return }
            let buffer = FieldBuffer(borrowing: base, capacity: memory.count)
            var record = LogRecordEncoder(head, dropped: dropped, uncounted: uncounted, core: core, buffer)
            defer { record.record.deallocate() }
            body(&record)
        }
    }

    /// Bytes of most records, and as many as are taken from the stack in any case.
    private static var stackSize: Int { 1_024 }
    /// Kept free of attributes for the end: 6 bytes of the number of dropped attributes, 58 of the identifier.
    private static var tailReserve: Int { 64 }
    /// `log.record.uid` of the semantic conventions: the same record sent twice is known by it.
    private static var identifierKey: String { "log.record.uid" }

    private init(
        _ head: LogRecordHead, dropped: UInt32, uncounted: Int, core: RecordingCore, _ buffer: FieldBuffer,
    ) {
        var head = head
        var buffer = buffer
        let room = max(core.limits.recordSize - Self.tailReserve - LogRecordHead.sizeBesideTexts, 0)
        head.name = core.admitted(head.name).truncated(toUTF8: room)
        head.body = core.admitted(head.body, key: "")
        let isBodyTooLarge = head.body.wireSize > room - head.name.utf8.count
        if isBodyTooLarge { head.body = .empty }
        head.write(to: &buffer)
        name = head.name
        record = RecordEncoder(
            after: buffer, attributes: LogRecordField.attributes, reserve: Self.tailReserve, uncounted: uncounted,
            core: core)
        record.droppedAttributes = dropped
        record.isTooLarge = isBodyTooLarge
    }

    /// Copies the attributes of all records, before any other is set.
    mutating func appendAmbient(of core: RecordingCore) {
        let snapshot = core.ambient.snapshot
        withExtendedLifetime(snapshot) { record.append(snapshot.logFields, of: snapshot, core: core) }
    }

    /// Sets each attribute in turn.
    mutating func setAttributes(_ attributes: Attributes, core: RecordingCore) {
        for element in attributes { record.setAttribute(element.key, element.value, core: core) }
    }

    /// Sets an attribute to a value that may be recorded as it is.
    mutating func setAttribute(_ key: String, admitted value: AttributeValue, core: RecordingCore) {
        record.setAttribute(key, admitted: value, core: core)
    }

    /// The record so far, without its end.
    var bytes: UnsafeRawBufferPointer { record.fields.bytes }
    var droppedAttributes: UInt32 { record.droppedAttributes }

    /// Writes the end, and returns the whole record.
    mutating func finish(in core: RecordingCore) -> UnsafeRawBufferPointer {
        if record.isTooLarge { reportSize(core) }
        let dropped = record.droppedAttributes
        if dropped > 0 {
            record.fields.append(WireSize.count(dropped)) { $0.count(LogRecordField.droppedAttributesCount, dropped) }
        }
        if !record.contains(Self.identifierKey) { appendIdentifier(core.ids) }
        return bytes
    }

    private mutating func appendIdentifier(_ ids: IDGenerator) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: IDGenerator.uuidLength) { text in
            ids.writeUUID(to: text)
            let valueSize = WireSize.field(size: text.count)
            let size = WireSize.field(size: KeyValueWire.size(key: Self.identifierKey, valueSize: valueSize))
            record.fields.append(size) { writer in
                KeyValueWire.writeHeader(
                    as: LogRecordField.attributes, key: Self.identifierKey, valueSize: valueSize, to: &writer)
                writer.field(AnyValueField.string, UnsafeRawBufferPointer(text))
            }
        }
    }

    private func reportSize(_ core: RecordingCore) {
        core.notices.report(.largeEvent) {
            "The event \"\(name)\" is too large: a record can have \(core.limits.recordSize) bytes. Its largest "
                + "attributes are dropped and counted on the event. Record less."
        }
    }
}
