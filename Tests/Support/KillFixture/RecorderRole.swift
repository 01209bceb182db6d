import AstrolabeDelivery
import AstrolabeJournal
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Records sessions in the flight recorder and asks for every second one, until it is killed. Another thread promotes
/// all the time. Each session has five spans, whose names are the session's number and their own.
func runRecorder(_ folder: String) {
    var queue = QueueConfiguration()
    queue.durability = .processDeath
    let ledger = DurableLedger(path: folder + "/queue.db", configuration: queue)
    var settings = JournalConfiguration(directory: folder + "/journal")
    settings.onRetire = { ledger.retire($0) }
    var ring = settings
    ring.directory = folder + "/recorder"
    ring.preparesOnDemand = true
    ring.overwrittenOutcome = .notSent
    guard let journal = try? RecordJournal(settings, header: []), let ring = try? RecordJournal(ring, header: []) else {
        exit(4)
    }
    let sink = JournalSink(journal, ring: ring)
    let scope = sink.register(InstrumentationScope(name: "test", version: "1"))
    let delivery = DeliveryService(
        journal: journal, ring: ring, durableLedger: ledger, transport: NoNetwork(), settings: .init(endpoint: nil))
    Task.detached {
        while true { await delivery.promote() }
    }
    var session: UInt64 = 0
    while true {
        for number in 0..<5 {
            let attributes: Attributes = ["session.id": name(session)]
            var bytes = message(SpanField.name, "\(session)-\(number)", SpanField.attributes, attributes)
            bytes.appendWire(28) { writer in
                writer.header(SpanField.traceID, size: 16)
                writer.bigEndian64(1)
                writer.bigEndian64(session + 1)
                writer.header(SpanField.spanID, size: 8)
                writer.bigEndian64(UInt64(number + 1))
            }
            append(bytes, kind: .span, priority: .normal, scope, to: sink)
        }
        if session.isMultiple(of: 2) {
            let attributes: Attributes = [
                "session.id": name(session), "astrolabe.recorder.trigger": "error",
                "astrolabe.recorder.id": "promotion-\(session)",
            ]
            let event = message(
                LogRecordField.eventName, "astrolabe.recorder.promotion", LogRecordField.attributes, attributes)
            append(event, kind: .event, priority: .critical, scope, to: sink)
            tell(Message(.appended, session))
        }
        session += 1
        sched_yield()
    }
}

/// A session's id, which is in no other's.
private func name(_ session: UInt64) -> String { "session-\(session)-end" }

private func append(
    _ bytes: [UInt8], kind: RecordKind, priority: Priority, _ scope: ScopeNumber, to sink: JournalSink,
) {
    let header = RecordHeader(
        kind: kind, priority: priority, scope: scope, timeUnixNano: SystemTime.wall, isSampledOut: true)
    bytes.withUnsafeBytes { sink.append($0, header: header) }
}

private func message(_ nameField: UInt32, _ name: String, _ field: UInt32, _ attributes: Attributes) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendWire(WireSize.field(name) + attributes.wireSize) { writer in
        writer.field(nameField, name)
        attributes.write(as: field, to: &writer)
    }
    return bytes
}

private struct NoNetwork: OTLPTransport {
    func send(_: OTLPRequest) async -> SendResult { .unreachable("no network") }
}
