import AstrolabeDelivery
import AstrolabeJournal
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Foundation
import Testing

/// The telemetry storage of a phone: a folder with a journal and a queue, for any number of runs.
final class TestDevice: Sendable {
    let folder: TemporaryDirectory
    let clock: Locked<Double>
    private let queueConfiguration: QueueConfiguration
    private let journalBytes: Int

    init(
        folder: TemporaryDirectory = TemporaryDirectory(), queue: QueueConfiguration = QueueConfiguration(),
        journalBytes: Int = 8 << 20, clock: Locked<Double> = Locked(1_000),
    ) {
        self.folder = folder
        self.clock = clock
        queueConfiguration = queue
        self.journalBytes = journalBytes
    }

    /// Starts a run of the app on the device.
    ///
    /// - Parameters:
    ///   - upkeepAtOnce: Whether the recording thread makes room in the journal.
    ///   - timeout: How long the queue waits for other processes. Default as the queue's configuration says.
    func run(upkeepAtOnce: Bool = false, timeout: LockTimeout? = nil) throws -> TestRun {
        let clock = clock
        let start: UInt64 = 1_790_000_000_000_000_000
        let queueClock = QueueClock(steady: { UInt64(clock.withLock { $0 } * 1e9) })
        var configuration = queueConfiguration
        // No test cuts the power, and synchronizing the disk with every transaction takes most of a test's time.
        configuration.durability = .processDeath
        let durableLedger = DurableLedger(
            path: folder.path + "/queue.db", configuration: configuration, clock: queueClock, timeout: timeout,
        )
        var settings = JournalConfiguration(directory: folder.path + "/journal")
        settings.segmentSize = min(journalBytes / 4, 270_336)
        settings.maximumBytes = journalBytes
        settings.reservePriority = Priority.high.rawValue
        settings.preparesOnDemand = true
        settings.onRetire = { durableLedger.retire($0) }
        let resource = EncodedResource(Resource(attributes: ["service.name": "test"]))
        let journal = try RecordJournal(settings, header: resource.fields)
        let sink = upkeepAtOnce ? JournalSink(journal) { $0() } : JournalSink(journal)
        return TestRun(in: folder, sink: sink, durableLedger: durableLedger, clock: clock, start: start)
    }
}

/// The records and the delivery of one run.
final class TestRun: Sendable {
    let sink: JournalSink
    let durableLedger: DurableLedger
    /// Exists as long as the run.
    private let folder: TemporaryDirectory
    private let clock: Locked<Double>
    private let start: UInt64
    private let scope: ScopeNumber
    private let recorded = Locked<UInt64>(0)

    init(
        in folder: TemporaryDirectory, sink: JournalSink, durableLedger: DurableLedger, clock: Locked<Double>,
        start: UInt64,
    ) {
        self.folder = folder
        self.sink = sink
        self.durableLedger = durableLedger
        self.clock = clock
        self.start = start
        scope = sink.register(InstrumentationScope(name: "test", version: "1"))
    }

    /// Ends the run as a kill does, except for file locks, which the system releases only when a process ends.
    func end() {
        sink.journal.close()
    }

    /// Records spans with these names, each a nanosecond after the previous one.
    func record(_ names: [String], priority: Priority = .normal) {
        let now = start + UInt64(clock.withLock { $0 } * 1e9)
        for name in names {
            let number = recorded.withLock { number in
                number += 1
                return number
            }
            let header = RecordHeader(kind: .span, priority: priority, scope: scope, timeUnixNano: now + number)
            SpanBytes.span(named: name).withUnsafeBytes { sink.append($0, header: header) }
        }
    }

    /// Creates a delivery service on the device's clock. A wait ends immediately and advances the clock.
    func delivery(
        by transport: any OTLPTransport, to endpoint: OTLPEndpoint? = nil,
        adjust: (inout DeliveryService.Settings) -> Void = { _ in }, hooks: DeliveryHooks = DeliveryHooks(),
        time: DeliveryTime? = nil,
    ) throws -> DeliveryService {
        let url = try #require(URL(string: "http://127.0.0.1:4318"))
        var settings = DeliveryService.Settings(endpoint: endpoint ?? OTLPEndpoint(url: url))
        adjust(&settings)
        let clock = clock
        let virtualTime = DeliveryTime(
            now: { clock.withLock { $0 } }, wall: { UInt64(clock.withLock { $0 } * 1e9) },
            sleep: { seconds in
                try Task.checkCancellation()
                clock.withLock { $0 += seconds }
                await Task.yield()
            }, random: { 1 },
        )
        return DeliveryService(
            journal: sink.journal, durableLedger: durableLedger, transport: transport, settings: settings, hooks: hooks,
            time: time ?? virtualTime,
        )
    }
}

/// Spans as they come from the SDK: a name and ids.
enum SpanBytes {
    /// - Parameters:
    ///   - trace: The byte of which its trace's id has 16.
    ///   - link: That of the trace that it links to; `nil` for no link.
    static func span(named name: String, trace: UInt8 = 0xAB, linkedTo link: UInt8? = nil) -> [UInt8] {
        var message = message(named: name, trace: trace)
        if let link {
            var linked = WireMessage()
            linked.bytes(SpanLinkField.traceID, Array(repeating: link, count: 16))
            linked.bytes(SpanLinkField.spanID, Array(repeating: 0xCD, count: 8))
            message.bytes(SpanField.links, linked.bytes)
        }
        return message.bytes
    }

    /// Returns a span of exactly `size` bytes, most of them its `trace_state`.
    static func padding(to size: Int) -> [UInt8] {
        var message = message(named: "padded")
        let room = size - message.bytes.count
        let length = room - WireSize.header(room - 2)
        message.bytes(SpanField.traceState, Array(repeating: UInt8(ascii: "a"), count: length))
        return message.bytes
    }

    private static func message(named name: String, trace: UInt8 = 0xAB) -> WireMessage {
        var message = WireMessage()
        message.bytes(SpanField.traceID, Array(repeating: trace, count: 16))
        message.bytes(SpanField.spanID, Array(repeating: 0xCD, count: 8))
        message.text(SpanField.name, name)
        return message
    }
}

/// A network whose results a test determines, and which stores what it has received.
final class TestNetwork: OTLPTransport {
    private struct State {
        var answer: @Sendable (_ count: Int) -> SendResult
        var requests = 0
        var names: [String] = []
        var batches: [Int] = []
        var paths: [String] = []
    }

    private let state: Locked<State>

    /// - Parameter answer: Called for each request with its number, which starts at 1.
    init(_ answer: @escaping @Sendable (_ count: Int) -> SendResult = { _ in TestNetwork.taken }) {
        state = Locked(State(answer: answer))
    }

    static let taken = SendResult.response(status: 200, retryAfter: nil, body: [])
    static let away = SendResult.unreachable("no network")

    func answer(_ answer: SendResult) { state.withLock { $0.answer = { _ in answer } } }

    /// The names of all received spans, in order.
    var names: [String] { state.withLock { $0.names } }
    /// The number of records of each accepted request.
    var batches: [Int] { state.withLock { $0.batches } }
    var requests: Int { state.withLock { $0.requests } }
    /// Of each request, over what kinds of path it may go on.
    var paths: [String] { state.withLock { $0.paths } }

    func send(_ request: OTLPRequest) async -> SendResult {
        await Task.yield()
        return state.withLock { state in
            state.requests += 1
            let kinds = (request.allowsExpensivePath ? "e" : "") + (request.allowsConstrainedPath ? "c" : "")
            state.paths.append(kinds)
            let result = state.answer(state.requests)
            guard case .response(200..<300, _, _) = result, let names = try? request.spanNames() else { return result }
            state.names += names
            state.batches.append(names.count)
            return result
        }
    }
}

extension RecordLedger {
    /// The ledger's totals as one array, for expectations.
    var summary: [Int] { [created, delivered, inJournal, inQueue, droppedTotal] }
}
