#if canImport(FoundationNetworking)
import AstrolabePlatform
import CAstrolabeCurl
import Foundation
import FoundationNetworking

/// One request by libcurl, the library below `URLSession` on Linux.
///
/// `URLSession` itself ends the process there if a response has trailers, reads a response of any size into memory,
/// and occupies a processor while a server is silent: `Docs/Decisions`, 0057.
final class CurlTransfer: @unchecked Sendable {  // one thread performs it, and only the atomic flag is shared
    private let transfer: OpaquePointer

    /// True if libcurl is in this process. FoundationNetworking initialises it first: in versions before 7.84, two
    /// threads must not.
    private static let isAvailable: Bool = {
        URLSession(configuration: .ephemeral).invalidateAndCancel()
        return astrolabe_transfer_is_available()
    }()

    /// Creates a transfer; `nil` if libcurl is linked statically, where it cannot be found.
    init?() {
        guard Self.isAvailable, let transfer = astrolabe_transfer_create() else { return nil }
        self.transfer = transfer
    }

    deinit { astrolabe_transfer_free(transfer) }

    /// Ends `perform` within about a second.
    func cancel() { astrolabe_transfer_cancel(transfer) }

    /// Sends a request and blocks until the response has arrived. Call it once.
    func perform(_ request: OTLPRequest) -> SendResult {
        // "Name;" is how libcurl sends a field without a value.
        let fields = request.headers.map { $1.isEmpty ? "\($0);" : "\($0): \($1)" }
        // A line break would begin another field.
        guard !fields.contains(where: { $0.utf8.contains { [0, 10, 13].contains($0) } }) else {
            return .unreachable("a header field has a line break")
        }
        let outcome = request.url.absoluteString.withCString { url in
            Self.withCStrings(fields[...]) { fields in
                request.body.withUnsafeBufferPointer { body in
                    fields.withUnsafeBufferPointer { fields in
                        var outgoing = astrolabe_transfer_request(
                            url: url, headers: fields.baseAddress, header_count: fields.count,
                            body: body.baseAddress, body_size: body.count, timeout: request.milliseconds)
                        return astrolabe_transfer_perform(transfer, &outgoing)
                    }
                }
            }
        }
        switch outcome {
        case ASTROLABE_TRANSFER_RESPONSE: return response(to: request)
        case ASTROLABE_TRANSFER_TIMED_OUT: return .timedOut
        default: return .unreachable(String(cString: astrolabe_transfer_error(transfer)))
        }
    }

    private func response(to request: OTLPRequest) -> SendResult {
        let head = ResponseHead(
            status: Int(astrolabe_transfer_status(transfer)),
            retryAfter: astrolabe_transfer_retry_after(transfer).map { String(cString: $0) },
            contentType: astrolabe_transfer_content_type(transfer).map { String(cString: $0) }, for: request)
        var size = 0
        let bytes = astrolabe_transfer_body(transfer, &size)
        return head.result(body: Array(UnsafeBufferPointer(start: bytes, count: size)))
    }

    private static func withCStrings<Value>(
        _ texts: ArraySlice<String>, _ pointers: [UnsafePointer<CChar>?] = [],
        _ body: ([UnsafePointer<CChar>?]) -> Value,
    ) -> Value {
        guard let text = texts.first else { return body(pointers) }
        return text.withCString { withCStrings(texts.dropFirst(), pointers + [$0], body) }
    }
}

extension OTLPRequest {
    /// The timeout for libcurl, to which 0 is none.
    fileprivate var milliseconds: Int { Int(min(max(timeout, .milliseconds(1)), .seconds(3_600)).milliseconds) }
}
#endif
