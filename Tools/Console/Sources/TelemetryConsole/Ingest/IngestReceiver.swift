import AstrolabeGzip
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleAccess
import ConsoleStore
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
/// A request that cannot be decoded is rejected. If single records are invalid, the others are stored and the response
/// is OTLP's partial success.
package struct IngestReceiver: Sendable {
    package let limits: ConsoleConfiguration.Limits
    private let access: AccessControl
    private let store: any TelemetryStore
    private let logger: Logger
    /// Sends what was stored to another endpoint; `nil` if the console does not.
    let forwarder: Forwarder?
    private let requestsUnderWay = Locked(0)
    private let memory: MemoryAllowance
    private let instruments: ConsoleInstruments

    init(
        store: any TelemetryStore, limits: ConsoleConfiguration.Limits, access: AccessControl, logger: Logger,
        forwarder: Forwarder? = nil, instruments: ConsoleInstruments = ConsoleInstruments(),
    ) {
        self.instruments = instruments
        self.store = store
        self.limits = limits
        self.access = access
        self.logger = logger
        self.forwarder = forwarder
        memory = MemoryAllowance(bytes: limits.memoryBytes)
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

    /// What the requests under way occupy, in bytes.
    var memoryInUse: Int { memory.inUse }

    /// The part of the memory for requests that one request occupies. It must grow with the body.
    package func hold() -> MemoryAllowance.Hold { memory.hold() }

    /// Decodes and stores a body. If the console forwards, the body is in the queue as well when this returns.
    ///
    /// - Parameter hold: What the body occupies already.
    package func take(
        _ body: ByteBuffer, _ hold: MemoryAllowance.Hold, isGzip: Bool, signal: Signal, encoding: OTLPEncoding,
        from sender: RecordSender,
    ) async throws(IngestFailure) -> ExportResponse {
        let start = ContinuousClock.now
        do throws(IngestFailure) {
            let (response, records) = try await store(
                body, hold, isGzip: isGzip, signal: signal, encoding: encoding, from: sender, )
            instruments.stored(signal, records: records, rejected: response.rejected, since: start)
            return response
        } catch {
            instruments.failed(signal, error, since: start)
            throw error
        }
    }

    /// - Returns: The response, and the number of records in the request.
    private func store(
        _ body: ByteBuffer, _ hold: MemoryAllowance.Hold, isGzip: Bool, signal: Signal, encoding: OTLPEncoding,
        from sender: RecordSender,
    ) async throws(IngestFailure) -> (ExportResponse, Int) {
        guard enter() else { throw .tooManyRequests(limit: limits.requestsAtOnce) }
        defer { leave() }
        let records = try decode(body, hold, isGzip: isGzip, signal: signal, encoding: encoding)
        do {
            try sender.check(records.services)
        } catch {
            throw .access(error)
        }
        // The records occupy what was counted until they are stored.
        defer { withExtendedLifetime(hold) {} }
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
        try await forwarder?.keep(body, signal: signal, encoding: encoding, isGzip: isGzip)
        return (
            ExportResponse(signal: signal, rejected: result.rejected, message: result.reason ?? ""), records.count,
        )
    }

    /// Stores spans, and the events that spans of other SDKs mean.
    private func ingest(traces groups: [ResourceGroup<SpanData>]) async throws(StoreError) -> IngestResult {
        let (spans, events) = ConventionReader.read(groups)
        let result = try await store.ingest(traces: spans)
        if !events.isEmpty { try await store.ingest(logs: events) }
        return result
    }

    package func logRejection(of signal: Signal, _ failure: IngestFailure) {
        logger.debug("rejected a \(signal.rawValue) request: \(failure.message)")
    }

    private func enter() -> Bool {
        requestsUnderWay.withLock { count in
            guard count < limits.requestsAtOnce else { return false }
            count += 1
            return true
        }
    }

    private func leave() {
        requestsUnderWay.withLock { $0 -= 1 }
    }

    private func decode(
        _ body: ByteBuffer, _ hold: MemoryAllowance.Hold, isGzip: Bool, signal: Signal, encoding: OTLPEncoding,
    ) throws(IngestFailure) -> Records {
        let outcome = body.withUnsafeReadableBytes { bytes in
            Result { () throws(IngestFailure) in
                guard isGzip else {
                    guard hold.grow(by: bytes.count * MemoryBudget.factor) else { throw .memorySpent }
                    return try Records(bytes, signal, encoding)
                }
                return try inflate(bytes, hold).withUnsafeBytes { bytes in
                    Result { () throws(IngestFailure) in try Records(bytes, signal, encoding) }
                }.get()
            }
        }
        return try outcome.get()
    }

    /// Decompresses a body after counting what it and its records may occupy.
    private func inflate(
        _ bytes: UnsafeRawBufferPointer, _ hold: MemoryAllowance.Hold,
    ) throws(IngestFailure) -> [UInt8] {
        // The trailer names the length of the last member, which usually is the only one. It may be wrong, so it is
        // the limit as well.
        let trailer = bytes.suffix(4).enumerated().reduce(0) { $0 | Int($1.element) << ($1.offset * 8) }
        var limit = 0
        for next in [min(trailer, limits.inflatedBytes), limits.inflatedBytes] {
            guard hold.grow(by: (next - limit) * (MemoryBudget.factor + 1)) else { throw .memorySpent }
            limit = next
            do throws(GzipError) {
                return try GzipCoder.decompress(bytes, limit: limit)
            } catch {
                guard case .limitExceeded = error else { throw .malformed(error.description) }
            }
        }
        throw .tooLargeInflated(limit: limits.inflatedBytes)
    }
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
