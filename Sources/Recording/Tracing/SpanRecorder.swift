import OTLP
import TelemetryModel

/// The mutable half of a span: it writes each thing that is set at once in its final OTLP form.
///
///     one block of memory:
///     0        16                                            1024
///     +--------+---------------------------------------------+
///     | gate   | fields: ids, kind, start, attributes, ...    |  -> a larger buffer where they outgrow it
///     +--------+---------------------------------------------+
///
/// What may still change (name, status, end, dropped counts) is written when the span ends.
final class SpanRecorder: @unchecked Sendable {  // `gate` admits one thread at a time to every `var`
    enum Operation {
        case attribute(key: String, AttributeValue)
        case event(SpanEvent)
        case link(SpanLink)
        case name(String)
        case status(SpanStatus)
        case end(timeUnixNano: UInt64)
    }

    let core: RecordingCore
    let scope: ScopeNumber
    let startTimeUnixNano: UInt64

    private let block: UnsafeMutableRawPointer
    private let gate: CombiningGate<Operation>
    private let fieldsStart: Int

    private var fields: FieldBuffer
    private var name: String
    private var status = SpanStatus.unset
    private var hasEnded = false
    private var keyFilter: UInt64
    private var attributeCount: Int
    private var droppedAttributes: UInt32 = 0
    private var eventCount = 0
    private var droppedEvents: UInt32 = 0
    private var linkCount = 0
    private var droppedLinks: UInt32 = 0

    private static let blockSize = 1_024

    init(
        core: RecordingCore, scope: ScopeNumber, name: String, context: SpanContext, parent: SpanContext?,
        kind: SpanKind, startTimeUnixNano: UInt64
    ) {
        self.core = core
        self.scope = scope
        self.name = name
        self.startTimeUnixNano = startTimeUnixNano
        block = .allocate(byteCount: Self.blockSize, alignment: 16)
        gate = CombiningGate(at: block)
        let gateSize = CombiningGate<Operation>.size
        fields = FieldBuffer(borrowing: block + gateSize, capacity: Self.blockSize - gateSize)
        let ambient = core.ambient.snapshot
        keyFilter = ambient.keyFilter
        attributeCount = ambient.attributes.count
        fieldsStart = Self.writeHead(
            of: context, parent: parent, kind: kind, startTimeUnixNano: startTimeUnixNano, into: &fields)
        ambient.spanFields.withUnsafeBytes { source in fields.append(source.count) { $0.bytes(source) } }
    }

    deinit {
        gate.discard()
        fields.deallocate()
        block.deallocate()
    }

    /// Performs now, or lets the thread that is at it perform.
    private func perform(_ operation: Operation) {
        if gate.enter() {
            apply(operation)
            gate.leave(apply)
        } else {
            gate.submit(operation, apply)
        }
    }

    private func apply(_ operation: Operation) {
        guard !hasEnded else { return }
        switch operation {
        case .attribute(let key, let value): write(value, key: key)
        case .event(let event): write(event)
        case .link(let link): write(link)
        case .name(let name): self.name = name
        case .status(let status): setStatus(status)
        case .end(let time): finish(at: time)
        }
    }

    func record(_ operation: Operation) {
        perform(operation)
    }

    /// The hot way for text, which makes no `Operation` unless another thread is at the span.
    func setAttribute(_ key: String, _ value: String) {
        guard gate.enter() else { return gate.submit(.attribute(key: key, .string(value)), apply) }
        if !hasEnded {
            let limit = core.limits.attributeValueLength
            if core.redactor.isClean(value, key: key), value.utf8.count <= limit {
                let size = WireSize.field(value)
                if let tag = admit(key, valueSize: size) {
                    append(key: key, tag: tag, valueSize: size) { $0.field(0x0A, value) }
                }
            } else {
                write(.string(value), key: key)
            }
        }
        gate.leave(apply)
    }

    /// The hot way for numbers and truth values: a one-byte tag and the eight bytes or fewer that follow.
    func setAttribute(_ key: String, _ value: AttributeValue) {
        guard gate.enter() else { return gate.submit(.attribute(key: key, value), apply) }
        if !hasEnded { write(value, key: key) }
        gate.leave(apply)
    }

    private func write(_ value: AttributeValue, key: String) {
        let value = core.admitted(value, key: key)
        let size = value.wireSize
        if let tag = admit(key, valueSize: size) {
            append(key: key, tag: tag, valueSize: size) { value.write(to: &$0) }
        }
    }

    /// The tag to write the attribute with, after making room for it; `nil` where it must be left out.
    private func admit(_ key: String, valueSize: Int) -> UInt8? {
        guard !key.isEmpty else { return nil }
        let bit = AttributeFields.filterBit(of: key)
        if keyFilter & bit != 0 { removeAttribute(key) }
        let size = 1 + WireSize.delimited(KeyValueWire.size(key: key, valueSize: valueSize))
        guard attributeCount < core.limits.attributeCount, fits(size) else {
            droppedAttributes += 1
            return nil
        }
        keyFilter |= bit
        attributeCount += 1
        return AttributeFields.spanTag
    }

    private func removeAttribute(_ key: String) {
        let bytes = UnsafeRawBufferPointer(rebasing: fields.bytes[fieldsStart...])
        if let range = AttributeFields.range(of: key, tag: AttributeFields.spanTag, in: bytes) {
            fields.remove(range.lowerBound + fieldsStart..<range.upperBound + fieldsStart)
            attributeCount -= 1
        }
    }

    @inline(__always)
    private func append(key: String, tag: UInt8, valueSize: Int, _ body: (inout WireWriter) -> Void) {
        fields.append(1 + WireSize.delimited(KeyValueWire.size(key: key, valueSize: valueSize))) { writer in
            KeyValueWire.writeHeader(tag: tag, key: key, valueSize: valueSize, to: &writer)
            body(&writer)
        }
    }

    private func write(_ event: SpanEvent) {
        let (attributes, dropped) = core.admitted(event.attributes, limit: core.limits.attributeCountPerEventOrLink)
        var event = event
        event.attributes = attributes
        event.droppedAttributesCount += dropped
        let size = event.wireSize
        guard eventCount < core.limits.eventCount, fits(1 + WireSize.delimited(size)) else {
            droppedEvents += 1
            return
        }
        eventCount += 1
        fields.append(1 + WireSize.delimited(size)) { writer in
            writer.header(0x5A, size: size)
            event.write(to: &writer)
        }
    }

    private func write(_ link: SpanLink) {
        let (attributes, dropped) = core.admitted(link.attributes, limit: core.limits.attributeCountPerEventOrLink)
        var link = link
        link.attributes = attributes
        link.droppedAttributesCount += dropped
        let size = link.wireSize
        guard linkCount < core.limits.linkCount, fits(1 + WireSize.delimited(size)) else {
            droppedLinks += 1
            return
        }
        linkCount += 1
        fields.append(1 + WireSize.delimited(size)) { writer in
            writer.header(0x6A, size: size)
            link.write(to: &writer)
        }
    }

    private func fits(_ size: Int) -> Bool {
        fields.count + size <= core.limits.recordSize
    }

    /// `ok` is final, an error replaces `unset` and an earlier error, and `unset` changes nothing (specification,
    /// "Set Status").
    private func setStatus(_ new: SpanStatus) {
        switch (status, new) {
        case (.ok, _), (_, .unset): break
        case (_, .error(let description)):
            let text = core.redactor.redacted(description, key: "")
            status = .error(text.truncated(toUTF8: core.limits.attributeValueLength))
        case (_, .ok): status = .ok
        }
    }

    private func finish(at timeUnixNano: UInt64) {
        hasEnded = true
        Self.writeTail(
            name: core.redactor.redacted(name, key: ""), status: status,
            endTimeUnixNano: max(timeUnixNano, startTimeUnixNano),
            droppedAttributes: droppedAttributes, droppedEvents: droppedEvents, droppedLinks: droppedLinks,
            into: &fields)
        let priority: Priority = status.isError ? .high : .normal
        core.sink.append(
            fields.bytes,
            header: RecordHeader(kind: .span, priority: priority, scope: scope, timeUnixNano: timeUnixNano))
    }

    /// Whether `end` has been performed.
    var isRecording: Bool {
        guard gate.enter() else { return true }
        defer { gate.leave(apply) }
        return !hasEnded
    }
}
