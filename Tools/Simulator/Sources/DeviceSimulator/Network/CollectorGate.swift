import AstrolabeDelivery
import AstrolabeGzip
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTelemetryModel
import DeviceLink
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServerSupport

/// The response in the place of the collector's, as the phone's network sees it.
package enum CollectorResponse: Hashable, Sendable {
    /// The collector's own response.
    case works
    /// A status instead, and the seconds of `Retry-After`. The collector does not get the request.
    case status(Int, retryAfter: Int?)
    /// The page of a captive portal, with status 200.
    case page
    /// A redirect to a captive portal.
    case redirect
    /// The connection breaks before the collector has the request.
    case losesRequest
    /// The collector has the request, and the connection breaks during its response.
    case losesResponse
    /// The app is killed when its next request has come, before or after the collector has it. Then the collector
    /// works.
    case kills(isTaken: Bool)
}

/// A server before the collector, which responds in its place as a scenario says, and knows what has come through.
package final class CollectorGate: Sendable {
    /// A request that the collector has taken.
    package struct Arrival: Hashable, Sendable {
        /// The virtual uptime.
        package var uptime: Double
        /// The attributes `witness.number` of its records.
        package var numbers: [UInt64]
        /// The virtual uptime of the app when it sent the request, if it says so.
        package var appUptime: Double?
        /// The values of the gauge `witness.uptime`: the app's uptimes when it collected metrics.
        package var collections: [Double] = []
    }

    private struct State {
        var response = CollectorResponse.works
        var arrivals: [Arrival] = []
        var requests = 0
        var running: Task<Void, any Error>?
    }

    private let target: ServerAddress
    private let uptime: @Sendable () async -> Double
    private let kill: @Sendable (_ process: Int?) async -> Bool
    private let state = Locked(State())
    private let client = URLSessionTransport()

    private static let bodyLimit = 16 << 20

    /// - Parameter phone: The phone whose app sends the requests.
    package convenience init(to target: ServerAddress, of phone: PhoneSimulator) {
        self.init(
            to: target, uptime: { await phone.time?.uptime ?? 0 },
            kill: { process in
                if let process, await phone.state.app.pid != process { return false }
                return (try? await phone.perform(.kill)) != nil
            })
    }

    /// - Parameter kill: Kills the app if it is the process that has sent the request, or if that is unknown. Returns
    ///   false if it is not running.
    init(
        to target: ServerAddress, uptime: @escaping @Sendable () async -> Double,
        kill: @escaping @Sendable (_ process: Int?) async -> Bool,
    ) {
        self.target = target
        self.uptime = uptime
        self.kill = kill
    }

    package func set(_ response: CollectorResponse) { state.withLock { $0.response = response } }

    /// The requests that the collector has taken, in order.
    package var arrivals: [Arrival] { state.withLock { $0.arrivals } }

    /// All requests.
    package var requests: Int { state.withLock { $0.requests } }

    /// Listens and returns the port.
    ///
    /// - Throws: `IOError` if no port is free.
    package func start() async throws -> Int {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "collector-gate")
        logger.logLevel = .critical
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in try await self.respond(to: request) },
            server: .guarded(by: ConnectionLimits(total: 64), idleTimeout: .seconds(60)),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: logger,
        )
        let running = Task {
            defer { port.finish() }
            try await application.run()
        }
        state.withLock { $0.running = running }
        for await port in ports { return port }
        try await running.value
        return 0
    }

    package func stop() { state.withLock { $0.running }?.cancel() }

    private func respond(to request: Request) async throws -> Response {
        let body = Array(try await request.body.collect(upTo: Self.bodyLimit).readableBytesView)
        let response = state.withLock { state in
            state.requests += 1
            defer { if case .kills = state.response { state.response = .works } }
            return state.response
        }
        switch response {
        case .works: return try await forward(request, body)
        case .status(let status, let retryAfter):
            let headers: HTTPFields = retryAfter.map { [.retryAfter: String($0)] } ?? [:]
            return Response(status: .init(code: status), headers: headers)
        case .page:
            return Response(
                status: .ok, headers: [.contentType: "text/html"],
                body: ResponseBody(
                    byteBuffer: ByteBuffer(string: "<!doctype html><title>Sign in to the network</title>")),
            )
        case .redirect:
            return Response(status: .found, headers: [.location: "http://portal.example/sign-in"])
        case .losesRequest: return Self.broken
        case .losesResponse:
            _ = try await forward(request, body)
            return Self.broken
        case .kills(let isTaken):
            if isTaken { _ = try await forward(request, body) }
            let process = HTTPField.Name(AppHello.processHeader).flatMap { request.headers[$0] }
            if await !kill(process.flatMap { Int($0) }) {
                // The request is of an app that has ended: the next one kills.
                state.withLock { if $0.response == .works { $0.response = response } }
            }
            return Self.broken
        }
    }

    private func forward(_ request: Request, _ body: [UInt8]) async throws -> Response {
        guard let url = URL(string: "http://\(target.host):\(target.port)\(request.uri.path)") else {
            return Response(status: .badRequest)
        }
        var headers: [String: String] = [:]
        for name in [HTTPField.Name.contentType, .contentEncoding] {
            headers[name.canonicalName] = request.headers[name]
        }
        let result = await client.send(
            OTLPRequest(url: url, headers: headers, body: body, timeout: .seconds(30)))
        guard case .response(let status, _, let content) = result else { return Self.broken }
        if (200..<300).contains(status) {
            let contents = Self.contents(of: body, request)
            let appUptime = HTTPField.Name(AppHello.uptimeHeader).flatMap { request.headers[$0] }
            let arrival = Arrival(
                uptime: await uptime(), numbers: contents.numbers, appUptime: appUptime.flatMap { Double($0) },
                collections: contents.collections)
            state.withLock { $0.arrivals.append(arrival) }
        }
        return Response(
            status: .init(code: status), headers: [.contentType: "application/x-protobuf"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: content)))
    }

    /// The connection ends within the response.
    private static var broken: Response {
        Response(status: .ok, body: ResponseBody(contentLength: 64) { _ in throw ConnectionLost() })
    }

    private struct ConnectionLost: Error {}

    /// Returns what an app with a witness says in the records of a request.
    private static func contents(of body: [UInt8], _ request: Request) -> (numbers: [UInt64], collections: [Double]) {
        let isCompressed = request.headers[.contentEncoding] == "gzip"
        guard let bytes = isCompressed ? try? GzipCoder.decompress(body, limit: bodyLimit) : body else {
            return ([], [])
        }
        let attributes: [Attributes]
        if request.uri.path.hasSuffix("traces") {
            attributes = ((try? OTLPDecoder.traces(protobuf: bytes)) ?? []).flatMap { $0.scopes.flatMap(\.records) }
                .map(\.attributes)
        } else if request.uri.path.hasSuffix("logs") {
            attributes = ((try? OTLPDecoder.logs(protobuf: bytes)) ?? []).flatMap { $0.scopes.flatMap(\.records) }
                .map(\.attributes)
        } else {
            let metrics = ((try? OTLPDecoder.metrics(protobuf: bytes)) ?? []).flatMap { $0.scopes.flatMap(\.records) }
            return ([], metrics.flatMap { NotedRecord.collections(in: $0) })
        }
        return (attributes.compactMap { NotedRecord.number(in: $0) }, [])
    }
}
