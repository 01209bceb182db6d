import Gzip
import Hummingbird
import Logging
import NIOCore
import OTLP
import Platform
import TelemetryModel

/// A real HTTP server that takes OTLP, and that can be told how to answer.
struct CollectorServer {
    struct Received: Sendable {
        var path: String
        var headers: [String: String]
        var body: [UInt8]
    }

    let port: Int
    private let received: Guarded<[Received]>

    var requests: [Received] { received.withLock { $0 } }

    /// The names of all spans that were taken, decoded from what came over the socket.
    func spanNames() throws -> [String] {
        try requests.filter { $0.path == "/v1/traces" }.flatMap { request in
            try OTLPDecoder.traces(protobuf: GzipCoder.decompress(request.body, limit: 1 << 24))
                .flatMap { $0.scopes.flatMap { $0.records.map(\.name) } }
        }
    }

    /// Runs `body` against a server on a free port. `answer` is asked for each request, which it may count.
    static func run<Result: Sendable>(
        answer: @escaping @Sendable (_ count: Int) -> Response = { _ in Response(status: .ok) },
        _ body: @escaping @Sendable (CollectorServer) async throws -> Result,
    ) async throws -> Result {
        let received = Guarded<[Received]>([])
        let router = Router()
        router.post("/v1/:signal") { request, _ in
            let buffer = try await request.body.collect(upTo: 1 << 24)
            var headers: [String: String] = [:]
            for field in request.headers { headers[field.name.canonicalName] = field.value }
            let count = received.withLock { list in
                list.append(
                    Received(path: request.uri.path, headers: headers, body: Array(buffer.readableBytesView)))
                return list.count
            }
            return answer(count)
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let app = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "collector", factory: { _ in SwiftLogNoOpLogHandler() }), )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await app.run() }
            var iterator = ports.makeAsyncIterator()
            let bound = await iterator.next() ?? 0
            let result = try await body(CollectorServer(port: bound, received: received))
            group.cancelAll()
            return result
        }
    }
}
