import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServerSupport

/// Receives OTLP over HTTP: reads a body, passes it to the ``IngestReceiver`` and writes the response.
struct IngestHandler: Sendable {
    let receiver: IngestReceiver

    func respond(to request: Request, signal: Signal, peer: String?) async -> Response {
        guard let encoding = OTLPEncoding(contentType: request.headers[.contentType]) else {
            return IngestFailure.unsupportedType(request.headers[.contentType]).response(in: .json)
        }
        do throws(IngestFailure) {
            let sender = try receiver.sender(request.headers, peer: peer)
            guard let compression = BodyCompression(request.headers[.contentEncoding]) else {
                throw .unsupportedEncoding(request.headers[.contentEncoding])
            }
            let hold = receiver.hold()
            let body = try await read(request, hold)
            let result = try await receiver.take(
                body, hold, compression: compression, signal: signal, encoding: encoding, from: sender)
            return result.response(in: encoding)
        } catch {
            receiver.logRejection(of: signal, error)
            return error.response(in: encoding)
        }
    }

    private func read(_ request: Request, _ hold: MemoryAllowance.Hold) async throws(IngestFailure) -> ByteBuffer {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > receiver.limits.bodyBytes {
            throw .tooLarge(limit: receiver.limits.bodyBytes)
        }
        var collected = ByteBuffer()
        do {
            for try await part in request.body {
                guard collected.readableBytes + part.readableBytes <= receiver.limits.bodyBytes else {
                    throw IngestFailure.tooLarge(limit: receiver.limits.bodyBytes)
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
}
