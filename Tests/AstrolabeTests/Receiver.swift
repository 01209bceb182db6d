import Astrolabe
import AstrolabePlatform
import Foundation

/// Takes all requests and says when the first span came.
final class Receiver: OTLPTransport {
    private let paths = Locked<[String]>([])
    private let stream = AsyncStream<Void>.makeStream()

    func send(_ request: OTLPRequest) async -> SendResult {
        paths.withLock { $0.append(request.url.path) }
        if request.url.path.hasSuffix("/v1/traces") { stream.continuation.yield() }
        return .response(status: 200, retryAfter: nil, body: [])
    }

    var requests: Int { paths.withLock { $0.count } }

    func firstSpan() async { for await _ in stream.stream { return } }
}
