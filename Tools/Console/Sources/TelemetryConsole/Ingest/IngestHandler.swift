import AstrolabeGzip
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTelemetryModel
import ConsoleStore
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServerSupport

/// Receives OTLP requests: reads, decompresses and decodes a body, and responds when its records are on disk.
///
/// Limits are checked before memory is allocated, for each request and for the sum of all. A slow body occupies memory
/// only for what has arrived of it, and no place for decoding and storing.
///
/// A request that cannot be decoded is rejected with 400. If single records are invalid, the others are stored and the
/// response is OTLP's partial success.
struct IngestHandler: Sendable {
    private let store: TelemetryStore
    private let limits: ConsoleConfiguration.Limits
    private let logger: Logger
    private let requestsUnderWay = Locked(0)
    private let memory: MemoryAllowance

    init(store: TelemetryStore, limits: ConsoleConfiguration.Limits, logger: Logger) {
        self.store = store
        self.limits = limits
        self.logger = logger
        memory = MemoryAllowance(bytes: limits.memoryBytes)
    }

    func respond(to request: Request, signal: Signal) async -> Response {
        guard let encoding = OTLPEncoding(contentType: request.headers[.contentType]) else {
            return IngestFailure.unsupportedType(request.headers[.contentType]).response(in: .json)
        }
        do throws(IngestFailure) {
            let result = try await take(request, signal: signal, encoding: encoding)
            return ExportResponse(signal: signal, rejected: result.rejected, message: result.reason ?? "")
                .response(in: encoding)
        } catch {
            logger.debug("rejected a \(signal.rawValue) request: \(error.message)")
            return error.response(in: encoding)
        }
    }

    private func take(
        _ request: Request, signal: Signal, encoding: OTLPEncoding,
    ) async throws(IngestFailure) -> IngestResult {
        let isGzip = try Self.isGzip(request.headers[.contentEncoding])
        let hold = memory.hold()
        let body = try await read(request, hold)
        guard enter() else { throw .tooManyRequests(limit: limits.requestsAtOnce) }
        defer { leave() }
        let records = try decode(body, hold, isGzip: isGzip, signal: signal, encoding: encoding)
        // The records occupy what was counted until they are stored.
        defer { withExtendedLifetime(hold) {} }
        do {
            return switch records {
            case .traces(let groups): try await store.ingest(traces: groups)
            case .logs(let groups): try await store.ingest(logs: groups)
            case .metrics(let groups): try await store.ingest(metrics: groups)
            }
        } catch {
            throw .store(error)
        }
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

    private static func isGzip(_ contentEncoding: String?) throws(IngestFailure) -> Bool {
        switch contentEncoding?.lowercased() {
        case nil, "", "identity": false
        case "gzip": true
        case let other: throw .unsupportedEncoding(other)
        }
    }

    private func read(_ request: Request, _ hold: MemoryAllowance.Hold) async throws(IngestFailure) -> ByteBuffer {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limits.bodyBytes {
            throw .tooLarge(limit: limits.bodyBytes)
        }
        var collected = ByteBuffer()
        do {
            for try await part in request.body {
                guard collected.readableBytes + part.readableBytes <= limits.bodyBytes else {
                    throw IngestFailure.tooLarge(limit: limits.bodyBytes)
                }
                guard hold.grow(by: part.readableBytes) else { throw IngestFailure.memorySpent }
                collected.writeImmutableBuffer(part)
            }
            return collected
        } catch let failure as IngestFailure {
            throw failure
        } catch {
            throw .malformed("the request ended before its body was complete")
        }
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
                }
        } catch {
            throw .malformed(error.description)
        }
    }
}
