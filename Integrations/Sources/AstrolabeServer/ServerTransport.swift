public import AstrolabeDelivery
public import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Sends OTLP with AsyncHTTPClient, over HTTP/1.1 or, where the server offers it with TLS, HTTP/2.
///
///     configuration.transport = ServerTransport()
///     configuration.transport = ServerTransport { $0.tlsConfiguration = clientCertificate }
///
/// Connections are reused. The first 128 KiB of a response's body are read, and the connection is closed if there are
/// more. Redirects are not followed, requests make no spans, and a 2xx HTML page counts as unreachable.
///
/// The proxy is that of `http_proxy`, `https_proxy` or `all_proxy`, except for the hosts of `no_proxy`, as for curl. A
/// proxy of the configuration replaces it. `http://` and `socks5://` proxies are supported.
public final class ServerTransport: OTLPTransport {
    private let direct: HTTPClient
    private let proxied: [HTTPClient.Configuration.Proxy: HTTPClient]
    private let proxies: ProxyEnvironment

    /// Creates a transport.
    ///
    /// - Parameter change: Changes the client's configuration, such as its TLS, proxy and connect timeout of 10 s. The
    ///   transport sets redirects, decompression, tracing and the initializers of connections itself.
    public convenience init(_ change: (inout HTTPClient.Configuration) -> Void = { _ in }) {
        self.init(environment: ProcessInfo.processInfo.environment, change)
    }

    init(environment: [String: String], _ change: (inout HTTPClient.Configuration) -> Void = { _ in }) {
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = .seconds(10)
        // Shorter than the time for which servers and balancers usually keep an idle connection.
        configuration.connectionPool.idleTimeout = .seconds(30)
        // The client would wait for a server that does not listen, and delivery owns retry.
        configuration.connectionPool.retryConnectionEstablishment = false
        change(&configuration)
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        // A span for each export would be exported in turn.
        configuration.tracing.tracer = nil
        configuration.http1_1ConnectionDebugInitializer = { InboundLimit.add(to: $0) }
        configuration.http2ConnectionDebugInitializer = { InboundLimit.add(to: $0) }
        let proxies = ProxyEnvironment(configuration.proxy == nil ? environment : [:])
        self.proxies = proxies
        direct = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        proxied = proxies.all.reduce(into: [:]) { clients, proxy in
            var configuration = configuration
            configuration.proxy = proxy
            clients[proxy] = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        }
    }

    deinit {
        for client in [direct] + proxied.values { client.shutdown { _ in } }
    }

    /// Sends a request once.
    public func send(_ request: OTLPRequest) async -> SendResult {
        let client: HTTPClient
        switch proxies.route(to: request.url) {
        case .direct: client = direct
        case .proxy(let proxy): client = proxied[proxy] ?? direct
        case .unsupported(let variable):
            return .unreachable("the proxy of \(variable) is not supported: expected http:// or socks5://")
        }
        let timeout = min(request.timeout, .seconds(3_600))
        return await withTaskGroup(of: SendResult?.self, returning: SendResult.self) { group in
            group.addTask { await self.exchange(request, timeout: timeout, by: client) }
            // The client's own deadline is for the head of the response only.
            group.addTask {
                try? await Task.sleep(for: timeout)
                return Task.isCancelled ? nil : .timedOut
            }
            defer { group.cancelAll() }
            for await result in group {
                if let result { return result }
            }
            return .unreachable("cancelled")
        }
    }

    private func exchange(_ request: OTLPRequest, timeout: Duration, by client: HTTPClient) async -> SendResult {
        var outgoing = HTTPClientRequest(url: request.url.absoluteString)
        outgoing.method = .POST
        for (name, value) in request.headers { outgoing.headers.replaceOrAdd(name: name, value: value) }
        if let user = request.url.user, !outgoing.headers.contains(name: "Authorization") {
            outgoing.setBasicAuth(username: user, password: request.url.password ?? "")
        }
        outgoing.body = .bytes(ByteBuffer(bytes: request.body))
        do {
            let response = try await client.execute(outgoing, timeout: TimeAmount(timeout))
            let head = ResponseHead(
                status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After"),
                contentType: response.headers.first(name: "Content-Type"), for: request)
            var body: [UInt8] = []
            for try await part in response.body {
                body += part.readableBytesView.prefix(ResponseHead.maximumBodyBytes - body.count)
                // The rest is not read, and the client closes the connection.
                if head.isEnough(body) { break }
            }
            return head.result(body: body)
        } catch let error as HTTPClientError where Self.timeouts.contains(error) {
            return .timedOut
        } catch let error as HTTPClientError {
            return .unreachable(error.shortDescription)
        } catch is CancellationError {
            return .unreachable("cancelled")
        } catch {
            return .unreachable(String("\(error)".prefix(500)))
        }
    }

    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
        .tlsHandshakeTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout,
    ]
}
