import AstrolabeJournal
import AstrolabeOTLP
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Foundation
import Testing

@testable import AstrolabeDelivery

/// A folder with a journal, a ring and a queue, for any number of runs.
final class RecorderPhone: Sendable {
    let folder: TemporaryDirectory
    private let capacity: Int
    private let clock = Locked(1_000.0)

    init(folder: TemporaryDirectory = TemporaryDirectory(), capacity: Int = 4 << 20) {
        self.folder = folder
        self.capacity = capacity
    }

    /// The runs in the ring's folder.
    var ringRuns: Int { folder.files.filter { $0.contains("/recorder/") && $0.hasSuffix("/run") }.count }

    func run(queueClock: QueueClock? = nil) throws -> RecorderRun {
        let virtual = QueueClock(steady: { [clock] in UInt64(clock.withLock { $0 } * 1e9) })
        let ledger = DurableLedger(
            path: folder.path + "/queue.db", maximumRecords: 10_000, maximumBytes: 20 << 20,
            clock: queueClock ?? virtual)
        var settings = JournalConfiguration(directory: folder.path + "/journal")
        settings.onRetire = { ledger.retire($0) }
        var ring = settings
        ring.directory = folder.path + "/recorder"
        ring.maximumBytes = capacity
        ring.segmentSize = min(settings.segmentSize, capacity / 8)
        ring.segmentsAhead = 1
        ring.maximumRecoveredBytes = capacity
        ring.preparesOnDemand = true
        ring.overwrittenOutcome = .notSent
        let sink = JournalSink(
            try RecordJournal(settings, header: []), ring: try RecordJournal(ring, header: []), upkeep: { $0() })
        return RecorderRun(sink, ledger, folder, clock)
    }
}

final class RecorderRun: Sendable {
    let sink: JournalSink
    private let ledger: DurableLedger
    /// Exists as long as the run.
    private let folder: TemporaryDirectory
    private let clock: Locked<Double>
    private let scope: ScopeNumber
    private static let start: UInt64 = 1_790_000_000_000_000_000

    init(_ sink: JournalSink, _ ledger: DurableLedger, _ folder: TemporaryDirectory, _ clock: Locked<Double>) {
        self.sink = sink
        self.ledger = ledger
        self.folder = folder
        self.clock = clock
        scope = sink.register(InstrumentationScope(name: "test", version: "1"))
    }

    var now: UInt64 { Self.start + UInt64(clock.withLock { $0 } * 1e9) }

    func advance(_ seconds: Double) { clock.withLock { $0 += seconds } }

    /// Ends the run as a kill does.
    func end() {
        sink.journal.close()
        sink.ring?.close()
        ledger.close()
    }

    func record(
        _ name: String, in session: String, on screen: String? = nil, priority: Priority = .normal, padding: Int = 0,
    ) {
        var attributes: Attributes = ["session.id": session]
        if let screen { attributes["app.screen.name"] = .string(screen) }
        if padding > 0 { attributes["padding"] = .string(String(repeating: "x", count: padding)) }
        var bytes = SpanBytes.span(named: name)
        bytes.appendWire(attributes.wireSize) { attributes.write(as: SpanField.attributes, to: &$0) }
        let header = RecordHeader(
            kind: .span, priority: priority, scope: scope, timeUnixNano: now, isSampledOut: true)
        append(bytes, header)
    }

    func event(_ name: String, in session: String) {
        let header = RecordHeader(kind: .event, priority: .low, scope: scope, timeUnixNano: now)
        append(event(name, ["session.id": session]), header)
    }

    func request(
        _ trigger: String, id: String, session: String, isOfApp: Bool = false, flow: (from: String, to: String)? = nil,
    ) {
        var attributes: Attributes = [
            "session.id": session, "astrolabe.recorder.trigger": trigger, "astrolabe.recorder.id": id,
        ]
        if let flow {
            attributes["astrolabe.recorder.flow.from"] = .string(flow.from)
            attributes["astrolabe.recorder.flow.to"] = .string(flow.to)
        }
        let header = RecordHeader(
            kind: .event, priority: .critical, scope: scope, timeUnixNano: now, isOfApp: isOfApp, isSampledOut: true)
        append(event("astrolabe.recorder.promotion", attributes), header)
    }

    private func event(_ name: String, _ attributes: Attributes, trace: UInt8? = nil) -> [UInt8] {
        var message = WireMessage()
        if let trace { message.bytes(LogRecordField.traceID, Array(repeating: trace, count: 16)) }
        message.text(LogRecordField.eventName, name)
        var bytes = message.bytes
        bytes.appendWire(attributes.wireSize) { attributes.write(as: LogRecordField.attributes, to: &$0) }
        return bytes
    }

    /// Records a span as a server does. The id of a trace is 16 times a byte.
    func record(_ name: String, ofTrace trace: UInt8, linkedTo link: UInt8? = nil) {
        append(SpanBytes.span(named: name, trace: trace, linkedTo: link), header(.span, .normal))
    }

    func event(_ name: String, ofTrace trace: UInt8) {
        append(event(name, [:], trace: trace), header(.event, .normal))
    }

    func request(_ trigger: String, id: String, ofTrace trace: UInt8) {
        let attributes: Attributes = ["astrolabe.recorder.trigger": trigger, "astrolabe.recorder.id": id]
        append(event("astrolabe.recorder.promotion", attributes, trace: trace), header(.event, .critical))
    }

    private func header(_ kind: RecordKind, _ priority: Priority) -> RecordHeader {
        RecordHeader(kind: kind, priority: priority, scope: scope, timeUnixNano: now, isSampledOut: true)
    }

    private func append(_ bytes: [UInt8], _ header: RecordHeader) {
        bytes.withUnsafeBytes { sink.append($0, header: header) }
    }

    func delivery(
        to collector: DecodingCollector, hooks: DeliveryHooks = DeliveryHooks(),
        adjust: (inout DeliveryService.Settings) -> Void = { _ in },
    ) throws -> DeliveryService {
        var settings = DeliveryService.Settings(
            endpoint: OTLPEndpoint(url: try #require(URL(string: "http://127.0.0.1:4318"))))
        adjust(&settings)
        let time = DeliveryTime(
            now: { [clock] in clock.withLock { $0 } },
            wall: { [clock] in Self.start + UInt64(clock.withLock { $0 } * 1e9) },
            sleep: { _ in try await untilCancelled() }, random: { 1 })
        return DeliveryService(
            journal: sink.journal, ring: sink.ring, durableLedger: ledger, transport: collector, settings: settings,
            hooks: hooks, time: time)
    }
}

/// Takes requests and decodes them as a server does.
final class DecodingCollector: OTLPTransport {
    private let isAway: Bool
    private let received = Locked((spans: [SpanData](), events: [LogRecordData]()))

    init(isAway: Bool = false) {
        self.isAway = isAway
    }

    var spans: [SpanData] { received.withLock { $0.spans } }
    var events: [LogRecordData] { received.withLock { $0.events } }

    func send(_ request: OTLPRequest) async -> SendResult {
        if isAway { return TestNetwork.away }
        let bytes = (try? request.plainBody()) ?? []
        let spans = (try? OTLPDecoder.traces(protobuf: bytes))?.flatMap { $0.scopes.flatMap(\.records) } ?? []
        let events = (try? OTLPDecoder.logs(protobuf: bytes))?.flatMap { $0.scopes.flatMap(\.records) } ?? []
        received.withLock { received in
            if request.url.path.hasSuffix("traces") { received.spans += spans } else { received.events += events }
        }
        return TestNetwork.taken
    }
}
