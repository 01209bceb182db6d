import AstrolabeJournal
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeWire

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A request to promote a session or a trace, as its event in the ring says it.
struct RecorderRequest {
    let run: JournalRun
    let sequence: UInt64
    /// When it happened, in nanoseconds since 1970.
    let time: UInt64
    let id: String
    let trigger: String
    /// The trace that it is about; `nil` for a session.
    let trace: TraceID?
    /// The id of the session that it is about; empty for all of the time without sessions, and for a trace.
    private let session: [UInt8]
    /// The screens of a flow, encoded as the attribute of a record is; empty for other requests.
    private let flow: (from: [UInt8], to: [UInt8])

    /// - Parameter isOfTrace: True if requests are about the trace of their event, as on a server.
    init(_ record: JournalLease.Record, of run: JournalRun, isOfTrace: Bool) {
        self.run = run
        sequence = record.sequence
        time = record.time
        func text(_ key: String) -> String {
            Attributes.value(of: key, wire: record.bytes, field: LogRecordField.attributes)?.stringValue ?? ""
        }
        trigger = text(AttributeKey.astrolabeRecorderTrigger)
        id = text(AttributeKey.astrolabeRecorderID)
        trace = isOfTrace ? TraceID(of: record.bytes, .event) ?? .invalid : nil
        session = isOfTrace ? [] : Array(text(AttributeKey.sessionID).utf8)
        flow = (
            Self.screen(text(AttributeKey.astrolabeRecorderFlowFrom)),
            Self.screen(text(AttributeKey.astrolabeRecorderFlowTo)),
        )
    }

    /// A screen's name as the attribute of a record has it: the bytes of the pair.
    private static func screen(_ name: String) -> [UInt8] {
        guard !name.isEmpty else { return [] }
        let pair: Attributes = [AttributeKey.appScreenName: name]
        var bytes: [UInt8] = []
        bytes.appendWire(pair.wireSize) { pair.write(as: LogRecordField.attributes, to: &$0) }
        return bytes.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            guard case .bytes(let content) = reader.next()?.value else { return [] }
            return Array(content)
        }
    }

    /// True if it concerns a flow: whether the session has abandoned it shows in the ring.
    var isOfFlow: Bool { !flow.from.isEmpty && !flow.to.isEmpty }

    /// The screens of the flow that a record of the session was made on.
    func screens(of record: UnsafeRawBufferPointer) -> (from: Bool, to: Bool) {
        (Self.contains(flow.from, in: record), Self.contains(flow.to, in: record))
    }

    /// True if the app has made it, or a request from outside for a session. It gets a result even if nothing was
    /// found.
    var isAsked: Bool { trigger == "app" || trigger == "remote" && trace == nil }

    /// The fields that say why a record was sent.
    func marks(for kind: RecordKind) -> [UInt8] {
        let marks: Attributes = [
            AttributeKey.astrolabeRecorderTrigger: trigger, AttributeKey.astrolabeRecorderID: id,
        ]
        var bytes: [UInt8] = []
        bytes.appendWire(marks.wireSize) {
            marks.write(as: kind == .span ? SpanField.attributes : LogRecordField.attributes, to: &$0)
        }
        return bytes
    }

    /// Returns true if it is about a record: one that has the session's id, which is a text of random digits, in its
    /// bytes, or one of the trace.
    func concerns(_ record: UnsafeRawBufferPointer, _ kind: RecordKind) -> Bool {
        if let trace { TraceID(of: record, kind) == trace } else { Self.contains(session, in: record) }
    }

    /// Returns true if these bytes are in a record, or are none.
    private static func contains(_ bytes: [UInt8], in record: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first else { return true }
        return bytes.withUnsafeBytes { bytes in
            guard let wanted = bytes.baseAddress, var place = record.baseAddress else { return false }
            let end = place + record.count
            while place + bytes.count <= end,
                let found = memchr(place, Int32(first), end - place - bytes.count + 1)
            {
                let start = UnsafeRawPointer(found)
                if memcmp(start, wanted, bytes.count) == 0 { return true }
                place = start + 1
            }
            return false
        }
    }
}

extension TraceID {
    /// Reads the trace of a span or an event as it is stored; `nil` if it has none.
    init?(of record: UnsafeRawBufferPointer, _ kind: RecordKind) {
        let field = kind == .span ? SpanField.traceID : LogRecordField.traceID
        var reader = WireReader(record)
        while let next = reader.next() {
            guard next.field == field, let id = next.value.traceID else { continue }
            self = id
            return
        }
        return nil
    }
}
