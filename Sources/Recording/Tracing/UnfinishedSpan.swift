import AstrolabePlatform
import AstrolabeSemantics
package import AstrolabeTelemetryModel
import AstrolabeWire

/// A span that was open when its process crashed: the fields that it had by then, as the crash handler copied them.
package struct UnfinishedSpan {
    private let fields: [UInt8]
    private let startTimeUnixNano: UInt64
    private let isSampledOut: Bool

    /// Checks the fields, which other threads may have changed or freed while they were copied; `nil` if they are not
    /// those of a span.
    package init?(copied bytes: UnsafeRawBufferPointer) {
        var reader = WireReader(bytes)
        var (hasTrace, hasSpan, hasName, start) = (false, false, false, UInt64(0))
        var flags = TraceFlags.sampled
        while let (field, value) = reader.next() {
            switch (field, value) {
            case (SpanField.traceID, .bytes(let id)): hasTrace = id.count == 16 && id.contains { $0 != 0 }
            case (SpanField.spanID, .bytes(let id)): hasSpan = id.count == 8 && id.contains { $0 != 0 }
            case (SpanField.name, .bytes(let name)): hasName = Self.isText(name)
            case (SpanField.startTime, .fixed64(let time)): start = time
            case (SpanField.flags, .fixed32(let word)): flags = TraceFlags(rawValue: UInt8(truncatingIfNeeded: word))
            case (SpanField.attributes, .bytes(let pair)):
                guard Attributes.isPair(wire: pair) else { return nil }
            case (SpanField.parentSpanID, .bytes), (SpanField.traceState, .bytes), (SpanField.kind, .varint),
                (SpanField.events, .bytes), (SpanField.links, .bytes):
                break
            default: return nil
            }
        }
        guard reader.isIntact, hasTrace, hasSpan, hasName, start > 0 else { return nil }
        fields = Array(bytes)
        startTimeUnixNano = start
        isSampledOut = !flags.contains(.sampled)
    }

    private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }

    /// Records the span with the time and the reason of the crash, unless spans are disabled in this run.
    package func record(
        in core: RecordingCore, scope: InstrumentationScope, endTimeUnixNano: UInt64, reason: String,
    ) {
        guard core.records(.span), !isSampledOut || core.recorder != nil else { return }
        let end = max(endTimeUnixNano, startTimeUnixNano)
        let mark: Attributes = [AttributeKey.astrolabeSpanIsUnfinished: true]
        let status = SpanStatus.error(core.admitted(reason))
        var bytes = fields
        let size = mark.wireSize + 9 + WireSize.field(size: status.wireSize)
        bytes.appendWire(size) { writer in
            mark.write(as: SpanField.attributes, to: &writer)
            writer.fixed64(SpanField.endTime, end)
            writer.header(SpanField.status, size: status.wireSize)
            status.write(to: &writer)
        }
        // The crash may be older than storage keeps a record. The flight recorder looks for the time of the crash.
        let header = RecordHeader(
            kind: .span, priority: .high, scope: core.register(scope),
            timeUnixNano: isSampledOut ? end : core.clock.now, isSampledOut: isSampledOut)
        bytes.withUnsafeBytes { core.store($0, header: header) }
    }
}
