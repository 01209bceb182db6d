import AstrolabeGzip
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport

/// A real HTTP server for OTLP whose responses a test determines.
struct CollectorServer {
    typealias Response = LoopbackServer.Answer

    struct Received: Sendable {
        var path: String
        /// By lowercase names.
        var headers: [String: String]
        var body: [UInt8]
    }

    let port: Int
    private let received: Locked<[Received]>

    var requests: [Received] { received.withLock { $0 } }

    /// The names of all received spans, decoded from the bodies on the socket.
    func spanNames() throws -> [String] {
        try requests.filter { $0.path == "/v1/traces" }.flatMap { request in
            try OTLPDecoder.traces(protobuf: GzipCoder.decompress(request.body, limit: 1 << 24))
                .flatMap { $0.scopes.flatMap { $0.records.map(\.name) } }
        }
    }

    /// Runs `body` against a server on a free port. `answer` receives the number of the request, which starts at 1.
    static func run<Result: Sendable>(
        answer: @escaping @Sendable (_ count: Int) -> Response = { _ in .status(200) },
        _ body: @escaping @Sendable (CollectorServer) async throws -> Result,
    ) async throws -> Result {
        let received = Locked<[Received]>([])
        let server = try LoopbackServer { request in
            let count = received.withLock { list in
                list.append(Received(path: request.path, headers: request.head.headers, body: request.body))
                return list.count
            }
            return answer(count)
        }
        defer { server.kill() }
        return try await body(CollectorServer(port: Int(server.port), received: received))
    }
}
