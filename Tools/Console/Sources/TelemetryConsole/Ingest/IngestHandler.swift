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

/// Receives OTLP requests: reads, decompresses and decodes a body, and responds when its records are on disk.
///
/// Limits are checked before memory is allocated. A request that cannot be decoded is rejected with 400. If single
/// records are invalid, the others are stored and the response is OTLP's partial success.
struct IngestHandler: Sendable {
    private let store: TelemetryStore
    private let limits: ConsoleConfiguration.Limits
    private let logger: Logger
    private let requestsUnderWay = Locked(0)

    init(store: TelemetryStore, limits: ConsoleConfiguration.Limits, logger: Logger) {
        self.store = store
        self.limits = limits
        self.logger = logger
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
        guard enter() else { throw .tooManyRequests(limit: limits.requestsAtOnce) }
        defer { leave() }
        let body = try await read(request)
        let records = try decode(body, isGzip: isGzip, signal: signal, encoding: encoding)
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

    private func read(_ request: Request) async throws(IngestFailure) -> ByteBuffer {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limits.bodyBytes {
            throw .tooLarge(limit: limits.bodyBytes)
        }
        do {
            return try await request.body.collect(upTo: limits.bodyBytes)
        } catch is NIOTooManyBytesError {
            throw .tooLarge(limit: limits.bodyBytes)
        } catch {
            throw .malformed("the request ended before its body was complete")
        }
    }

    private func decode(
        _ body: ByteBuffer, isGzip: Bool, signal: Signal, encoding: OTLPEncoding,
    ) throws(IngestFailure) -> Records {
        let outcome = body.withUnsafeReadableBytes { bytes in
            Result { () throws(IngestFailure) in
                guard isGzip else { return try Records(bytes, signal, encoding) }
                let inflated: [UInt8]
                do throws(GzipError) {
                    inflated = try GzipCoder.decompress(bytes, limit: limits.inflatedBytes)
                } catch {
                    if case .limitExceeded(let limit) = error { throw .tooLargeInflated(limit: limit) }
                    throw .malformed(error.description)
                }
                return try inflated.withUnsafeBytes { bytes in
                    Result { () throws(IngestFailure) in try Records(bytes, signal, encoding) }
                }.get()
            }
        }
        return try outcome.get()
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
