import AstrolabeGzip
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport

/// An OTLP collector on a real socket, that keeps what it has taken while its server is killed and comes back.
final class TestCollector: Sendable {
    /// The fate of a request.
    enum Fate: Sendable {
        case taken
        /// 503, before anything was taken.
        case refused
        /// The connection is reset in the middle of the body.
        case brokenOff
        /// All is taken, and the connection is reset in the place of an answer: the sender cannot know.
        case answerLost
    }

    private struct State {
        var server: LoopbackServer?
        var life = 0
        var log = DeliveryLog()
        var undecodable = 0
    }

    private let state = Locked(State())
    private let fate: @Sendable () -> Fate
    private let reservation: ReservedPort

    var port: UInt16 { reservation.number }

    /// - Parameter fate: Asked for each request.
    init(fate: @escaping @Sendable () -> Fate = { .taken }) throws {
        self.fate = fate
        // The port is this collector's own, whoever asks for a free one while its server is away.
        reservation = try ReservedPort()
        try start()
    }

    /// The records that have arrived.
    var log: DeliveryLog { state.withLock { $0.log } }
    /// Requests that were no OTLP.
    var undecodable: Int { state.withLock { $0.undecodable } }

    /// Does nothing if it runs.
    func start() throws {
        guard state.withLock({ $0.server == nil }) else { return }
        let life = state.withLock { state in
            state.life += 1
            return state.life
        }
        let fates = Locked<[String: Fate]>([:])
        let server = try LoopbackServer(
            port: port,
            attend: { [fate] head in
                let fate = fate()
                fates.withLock { $0[head.headers["x-run"] ?? ""] = fate }
                return fate == .brokenOff ? .breakOff : .readOn
            },
            answer: { [weak self] request in
                let run = request.head.headers["x-run"] ?? ""
                let fate = fates.withLock { $0[run] } ?? .taken
                guard let self, fate != .refused else { return .status(503) }
                return take(request, from: run, life: life, isAnswered: fate == .taken) ? answer(fate) : .status(400)
            },
        )
        state.withLock { $0.server = server }
    }

    private func answer(_ fate: Fate) -> LoopbackServer.Answer {
        fate == .answerLost ? .nothing : .status(200)
    }

    /// Resets all connections, whatever is on its way, and refuses new ones.
    func kill() {
        state.withLock { state in
            defer { state.server = nil }
            return state.server
        }?.kill()
    }

    /// The records are kept before the answer goes out, as a good collector does it.
    private func take(_ request: HTTPRequest, from run: String, life: Int, isAnswered: Bool) -> Bool {
        let parcel = try? ExportBatch(request)
        state.withLock { state in
            guard let parcel else {
                state.undecodable += 1
                return
            }
            state.log.add(parcel, run: Int(run) ?? 0, collector: life, isAnswered: isAnswered)
        }
        return parcel != nil
    }
}

/// The records of a request.
struct ExportBatch {
    /// By what the console knows them by.
    enum RecordID: Hashable {
        case span(TraceID, SpanID)
        case event(String)
        /// The console has no id for a metric, and adds its points: here it is known by all that it says.
        case metric(MetricData)
    }

    private(set) var records: [(id: RecordID, number: UInt64?)] = []
    /// The events with which a run reports earlier ones.
    private static let endingNames: Set = [EventName.runEnd, EventName.hang, EventName.appCrash]
    /// Those that tell how an earlier run ended.
    private(set) var endings: Set<RecordID> = []

    init(_ request: HTTPRequest) throws {
        let isCompressed = request.head.headers["content-encoding"] == "gzip"
        let body = isCompressed ? try GzipCoder.decompress(request.body, limit: 1 << 24) : request.body
        switch request.path {
        case "/v1/traces":
            for span in try OTLPDecoder.traces(protobuf: body).flatMap({ $0.scopes.flatMap(\.records) }) {
                add(.span(span.context.traceID, span.context.spanID), span.attributes)
            }
        case "/v1/logs":
            for event in try OTLPDecoder.logs(protobuf: body).flatMap({ $0.scopes.flatMap(\.records) }) {
                let id = RecordID.event(event.attributes["log.record.uid"]?.stringValue ?? "")
                add(id, event.attributes)
                if Self.endingNames.contains(event.eventName) { endings.insert(id) }
            }
        default:
            for metric in try OTLPDecoder.metrics(protobuf: body).flatMap({ $0.scopes.flatMap(\.records) }) {
                add(.metric(metric), [:])
            }
        }
    }

    private mutating func add(_ id: RecordID, _ attributes: Attributes) {
        guard case .int(let number)? = attributes["fixture.number"] else { return records.append((id, nil)) }
        records.append((id, UInt64(clamping: number)))
    }
}
