import AstrolabePlatform
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport that uses `URLSession`, with the platform's TLS, proxies and trust. On Linux it uses libcurl, which is
/// below `URLSession` there.
///
/// Redirects are not followed: a POST would become a GET, and the key in a header would reach another host. The 3xx
/// response itself is the result. A 2xx HTML page, such as that of a captive portal, counts as unreachable. The first
/// 128 KiB of a response's body are read, and the connection is closed if there are more.
///
/// A Linux program that links FoundationNetworking statically gets `URLSession` itself, with the faults in
/// `Docs/KnownConcerns.md`. A server uses the transport of `AstrolabeServer`.
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
        #if canImport(FoundationNetworking)
        if let transfer = CurlTransfer() { return await send(request, by: transfer) }
        // One session for each request, so that no connection is reused. If a reused connection is reset, this
        // URLSession resends the request's head without a body and then waits forever at full CPU load.
        let exchanges = OTLPExchanges()
        let session = Self.makeSession(delegate: exchanges)
        defer { session.finishTasksAndInvalidate() }
        #endif
        var urlRequest = URLRequest(url: request.url, timeoutInterval: request.timeout.seconds)
        urlRequest.httpMethod = "POST"
        urlRequest.httpBody = Data(request.body)
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        #if !canImport(FoundationNetworking)
        urlRequest.allowsExpensiveNetworkAccess = request.allowsExpensivePath
        urlRequest.allowsConstrainedNetworkAccess = request.allowsConstrainedPath
        #endif
        let task = session.dataTask(with: urlRequest)
        let exchange = OTLPExchange(acceptsPages: request.acceptsPages)
        exchanges.begin(exchange, for: task)
        return await result(of: exchange, timeout: request.timeout) {
            task.resume()
        } cancel: {
            task.cancel()
        }
    }

    #if canImport(FoundationNetworking)
    /// Sends a request on a thread of its own. The thread may last longer than the request, because the look-up of a
    /// name cannot be cancelled.
    private func send(_ request: OTLPRequest, by transfer: CurlTransfer) async -> SendResult {
        let exchange = OTLPExchange()
        return await result(of: exchange, timeout: request.timeout) {
            let isStarted = DedicatedThread.start(countedBy: CPUTimeMeter()) {
                exchange.finish(transfer.perform(request))
            }
            if !isStarted { exchange.finish(.unreachable("no thread can be started")) }
        } cancel: {
            transfer.cancel()
        }
    }
    #endif

    /// Starts an exchange and waits for its result, at most for its timeout and until the task is cancelled.
    private func result(
        of exchange: OTLPExchange, timeout: Duration, start: @escaping @Sendable () -> Void,
        cancel: @escaping @Sendable () -> Void,
    ) async -> SendResult {
        // URLSession restarts its own timeout on every activity of the connection.
        let timer = DispatchTimer(after: min(timeout.seconds, 3_600)) {
            exchange.finish(.timedOut)
            cancel()
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            start()
            return await exchange.result
        } onCancel: {
            exchange.finish(.unreachable("cancelled"))
            cancel()
        }
    }
}
