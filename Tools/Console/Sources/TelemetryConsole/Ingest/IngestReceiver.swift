import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleAccess
import ConsoleModel
package import HTTPTypes
import Logging
package import NIOCore
package import ServerSupport

/// Takes OTLP requests from any transport: decompresses and decodes a body, and returns when its records are on disk.
///
/// ``IngestHandler`` and a ``GRPCReceiver`` read bodies and write responses. Limits are checked before memory is
/// allocated, for each request and for the sum of all. A slow body occupies memory only for what has arrived of it, and
/// no place for decoding and storing.
///
/// Light requests run at once. Those that make much work wait in an ``IngestQueue``, run on other threads, and cannot
/// take the last eighth of the memory, so that they keep no light one waiting.
///
/// A request that cannot be decoded is rejected. If single records are invalid, the others are stored and the response
/// is OTLP's partial success.
package struct IngestReceiver: Sendable {
    package let limits: ConsoleConfiguration.Limits
    private let access: AccessControl
    private let store: any TelemetryStore
    private let logger: Logger
    /// Sends what was stored to another endpoint; `nil` if the console does not.
    let forwarder: Forwarder?
    /// Asks a server for its part of promoted traces; `nil` if the console does not.
    let asker: PromotionAsker?
    /// The light requests under way.
    private let places: Locked<IngestPlaces>
    /// The heavy requests under way, and those that wait.
    let turns: IngestAdmission
    private let memory: MemoryAllowance
    private let instruments: ConsoleInstruments

    init(
        store: any TelemetryStore, limits: ConsoleConfiguration.Limits, access: AccessControl, logger: Logger,
        forwarder: Forwarder? = nil, asker: PromotionAsker? = nil,
        instruments: ConsoleInstruments = ConsoleInstruments(),
    ) {
        self.instruments = instruments
        self.store = store
        self.limits = limits
        self.access = access
        self.logger = logger
        self.forwarder = forwarder
        self.asker = asker
        places = Locked(IngestPlaces(limits.requestsAtOnce))
        turns = IngestAdmission(limits.heavyRequests)
        // A light body, its decompressed form and its records.
        memory = MemoryAllowance(
            bytes: limits.memoryBytes, reserve: limits.memoryBytes / 8,
            smallBytes: IngestQueue.lightBytes * (MemoryBudget.factor + 2))
    }

    /// Returns who sends a request, or throws why they may not. Call it before the body is read.
    ///
    /// - Parameters:
    ///   - headers: The headers of the request, or the metadata of the gRPC call.
    ///   - peer: The address of the connection; `nil` without a network connection.
    package func sender(_ headers: HTTPFields, peer: String?) throws(IngestFailure) -> RecordSender {
        do {
            return try RecordSender(headers, peer: peer, access: access)
        } catch {
            throw .access(error)
        }
    }

    /// The memory of the requests under way, in bytes.
    var memoryInUse: Int { memory.inUse }

    /// The part of the memory for requests that one request occupies. It must grow with the body.
    package func hold() -> MemoryAllowance.Hold { memory.hold() }

    /// Decodes and stores a body. If the console forwards it, the body is in the queue as well when this returns.
    ///
    /// - Parameter hold: What the body occupies already.
    package func take(
        _ body: ByteBuffer, _ hold: MemoryAllowance.Hold, compression: BodyCompression, signal: Signal,
        encoding: OTLPEncoding, from sender: RecordSender,
    ) async throws(IngestFailure) -> IngestResponse {
        let start = ContinuousClock.now
        do throws(IngestFailure) {
            let request = IngestRequest(
                body: body, hold: hold, compression: compression, signal: signal, encoding: encoding, sender: sender)
            let (response, records) = try await store(request)
            instruments.stored(signal, records: records, rejected: response.rejected, since: start)
            return response
        } catch {
            instruments.failed(signal, error, since: start)
            throw error
        }
    }

    /// - Returns: The response, and the number of records in the request.
    private func store(_ request: IngestRequest) async throws(IngestFailure) -> (IngestResponse, Int) {
        let account = request.sender.account
        switch places.withLock({ $0.enter(account) }) {
        case .refused: throw .tooManyRequests(limit: limits.requestsAtOnce)
        case .waits: break
        case .runs:
            defer { places.withLock { $0.leave(account) } }
            if let light = try decodeLight(request) { return try await store(light, of: request) }
        }
        return try await turns.take(account) { () async throws(IngestFailure) -> (IngestResponse, Int) in
            guard let decoded = try decode(request, limit: limits.inflatedBytes) else {
                throw .tooLargeInflated(limit: limits.inflatedBytes)
            }
            return try await store(decoded, of: request)
        }
    }

    /// Decodes a request; `nil` if it is heavy.
    private func decodeLight(_ request: IngestRequest) throws(IngestFailure) -> Decoded? {
        let limit = min(IngestQueue.lightBytes, limits.inflatedBytes)
        guard request.body.readableBytes <= limit, let decoded = try decode(request, limit: limit),
            decoded.records.rows <= IngestQueue.lightRecords
        else { return nil }
        return decoded
    }

    private func store(
        _ decoded: Decoded, of request: IngestRequest,
    ) async throws(IngestFailure) -> (IngestResponse, Int) {
        let records = decoded.records
        do {
            try request.sender.check(records.services)
        } catch {
            throw .access(error)
        }
        // The records occupy what was counted until they are stored.
        defer { withExtendedLifetime(request.hold) {} }
        let result: IngestResult
        do {
            result =
                switch records {
                case .traces(let groups): try await ingest(traces: groups)
                case .logs(let groups): try await store.ingest(logs: ConventionReader.read(groups))
                case .metrics(let groups): try await store.ingest(metrics: ConventionReader.read(groups))
                case .profiles(let groups): try await store.ingest(logs: groups)
                }
        } catch {
            throw .store(error)
        }
        if let forwarder {
            let upstream = request.compression.forwarded(request.body, decoded.plain)
            try await forwarder.keep(
                upstream.body, signal: request.signal, encoding: request.encoding, isGzip: upstream.isGzip,
                hops: request.sender.hops)
        }
        let response = IngestResponse(signal: request.signal, rejected: result.rejected, message: result.reason ?? "")
        return (response, records.count)
    }

    /// Stores spans, and the events that spans of other SDKs mean.
    private func ingest(traces groups: [ResourceGroup<SpanData>]) async throws(StoreError) -> IngestResult {
        let (spans, events) = ConventionReader.read(groups)
        let result = try await store.ingest(traces: spans)
        if !events.isEmpty { try await store.ingest(logs: events) }
        asker?.note(groups)
        return result
    }

    package func logRejection(of signal: Signal, _ failure: IngestFailure) {
        logger.debug("rejected a \(signal.rawValue) request: \(failure.message)")
    }

    /// The records of a request, and its body if it was compressed.
    private struct Decoded {
        var records: Records
        var plain: [UInt8]?
    }

    /// Decodes a body; `nil` if it is longer than `limit` when it is decompressed.
    private func decode(_ request: IngestRequest, limit: Int) throws(IngestFailure) -> Decoded? {
        if let inflation = try inflation(of: request, limit: limit) {
            guard let plain = try decompress(request, inflation) else { return nil }
            let records = try plain.withUnsafeBytes { bytes in
                Result { () throws(IngestFailure) in try Records(bytes, request.signal, request.encoding) }
            }.get()
            return Decoded(records: records, plain: plain)
        }
        let outcome = request.body.withUnsafeReadableBytes { bytes in
            Result { () throws(IngestFailure) in
                guard request.hold.grow(by: bytes.count * MemoryBudget.factor) else { throw .memorySpent }
                return try Records(bytes, request.signal, request.encoding)
            }
        }
        return Decoded(records: try outcome.get())
    }

    /// `nil` for a body that is not compressed.
    private func inflation(of request: IngestRequest, limit: Int) throws(IngestFailure) -> (any Inflation)? {
        do {
            return try request.compression.inflation(limit: limit)
        } catch {
            throw .malformed("\(error)")
        }
    }

    /// Decompresses a body, and counts what it and its records may occupy while it grows; `nil` if it is longer than
    /// the limit of `inflation`.
    private func decompress(
        _ request: IngestRequest, _ inflation: any Inflation,
    ) throws(IngestFailure) -> [UInt8]? {
        var output: [UInt8] = []
        do {
            try request.body.withUnsafeReadableBytes { bytes in
                try inflation.add(bytes) { piece in
                    guard request.hold.grow(by: piece.count * (MemoryBudget.factor + 1)) else {
                        throw IngestFailure.memorySpent
                    }
                    output += piece
                }
            }
            try inflation.end()
            return output
        } catch let failure as IngestFailure {
            throw failure
        } catch let error as any InflationError where error.isOverLimit {
            return nil
        } catch {
            throw .malformed("\(error)")
        }
    }
}

/// A request whose body is complete.
private struct IngestRequest: Sendable {
    let body: ByteBuffer
    let hold: MemoryAllowance.Hold
    let compression: BodyCompression
    let signal: Signal
    let encoding: OTLPEncoding
    let sender: RecordSender
}

/// The decoded records of one request.
private enum Records: Sendable {
    case traces([ResourceGroup<SpanData>])
    case logs([ResourceGroup<LogRecordData>])
    case metrics([ResourceGroup<MetricData>])
    /// Each profile as an event.
    case profiles([ResourceGroup<LogRecordData>])

    var count: Int {
        switch self {
        case .traces(let groups): groups.reduce(0) { $0 + $1.recordCount }
        case .logs(let groups), .profiles(let groups): groups.reduce(0) { $0 + $1.recordCount }
        case .metrics(let groups): groups.reduce(0) { $0 + $1.recordCount }
        }
    }

    /// The number of records, with each data point of a metric.
    var rows: Int {
        guard case .metrics(let groups) = self else { return count }
        return groups.flatMap(\.scopes).reduce(0) { $0 + $1.records.reduce(0) { $0 + $1.pointCount } }
    }

    /// The `service.name` of each resource; `nil` if it has no such attribute.
    var services: [String?] {
        func name(_ resource: Resource) -> String? { resource.attributes[AttributeKey.serviceName]?.stringValue }
        return switch self {
        case .traces(let groups): groups.map { name($0.resource) }
        case .logs(let groups), .profiles(let groups): groups.map { name($0.resource) }
        case .metrics(let groups): groups.map { name($0.resource) }
        }
    }

    init(_ bytes: UnsafeRawBufferPointer, _ signal: Signal, _ encoding: OTLPEncoding) throws(IngestFailure) {
        do {
            self =
                switch (signal, encoding) {
                case (.traces, .protobuf): .traces(try OTLPDecoder.traces(protobuf: bytes))
                case (.traces, .json): .traces(try OTLPDecoder.traces(json: bytes))
                case (.logs, .protobuf): .logs(try OTLPDecoder.logs(protobuf: bytes))
                case (.logs, .json): .logs(try OTLPDecoder.logs(json: bytes))
                case (.metrics, .protobuf): .metrics(try OTLPDecoder.metrics(protobuf: bytes))
                case (.metrics, .json): .metrics(try OTLPDecoder.metrics(json: bytes))
                case (.profiles, .protobuf): .profiles(try ProfileEvents.read(bytes))
                case (.profiles, .json):
                    throw ProfileError(
                        description: "profiles are read in protobuf only; expected application/x-protobuf")
                }
        } catch {
            throw .malformed("\(error)")
        }
    }
}

extension MetricData {
    fileprivate var pointCount: Int {
        switch data {
        case .gauge(let points), .sum(let points, _, _): points.count
        case .histogram(let points, _): points.count
        case .exponentialHistogram(let points, _): points.count
        case .summary(let points): points.count
        case .unknown: 0
        }
    }
}
