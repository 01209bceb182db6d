import AstrolabePlatform
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport that uses `URLSession`, with the platform's TLS, proxies and trust.
///
/// Redirects are not followed: a POST would become a GET, and the key in a header would reach another host. The 3xx
/// response itself is the result. A 2xx HTML page, such as that of a captive portal, counts as unreachable.
public final class URLSessionTransport: OTLPTransport {
    #if !canImport(FoundationNetworking)
    private let session: URLSession
    private let exchanges = OTLPExchanges()
    #endif

    /// Creates a transport with an ephemeral session.
    public init() {
        #if !canImport(FoundationNetworking)
        session = Self.makeSession(delegate: exchanges)
        #endif
    }

    #if !canImport(FoundationNetworking)
    deinit { session.finishTasksAndInvalidate() }
    #endif

    private static func makeSession(delegate exchanges: OTLPExchanges) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 2
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        return URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    /// Sends a request once.
    public func send(_ request: OTLPRequest) async -> SendResult {
        var urlRequest = URLRequest(url: request.url, timeoutInterval: request.timeout.seconds)
        urlRequest.httpMethod = "POST"
        urlRequest.httpBody = Data(request.body)
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        #if !canImport(FoundationNetworking)
        urlRequest.allowsExpensiveNetworkAccess = request.allowsExpensivePath
        urlRequest.allowsConstrainedNetworkAccess = request.allowsConstrainedPath
        #endif
        #if canImport(FoundationNetworking)
        // One session for each request, so that no connection is reused. If a reused connection is reset, this
        // URLSession resends the request's head without a body and then waits forever at full CPU load.
        let exchanges = OTLPExchanges()
        let session = Self.makeSession(delegate: exchanges)
        defer { session.finishTasksAndInvalidate() }
        #endif
        let task = session.dataTask(with: urlRequest)
        let exchange = OTLPExchange()
        exchanges.begin(exchange, for: task)
        // URLSession restarts its own timeout on every activity of the connection. A sleeping task would wake the
        // device even after it was cancelled.
        let timeout = DispatchSource.makeTimerSource()
        timeout.schedule(deadline: .now() + min(request.timeout.seconds, 3_600))
        timeout.setEventHandler {
            exchange.finish(.timedOut)
            task.cancel()
        }
        timeout.activate()
        defer { timeout.cancel() }
        return await withTaskCancellationHandler {
            task.resume()
            return await exchange.result
        } onCancel: {
            exchange.finish(.unreachable("cancelled"))
            task.cancel()
        }
    }
}
