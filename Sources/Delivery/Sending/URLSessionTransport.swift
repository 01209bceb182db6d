import AstrolabePlatform
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends by `URLSession`, so TLS, proxies and trust are the platform's.
///
/// Redirects are not followed: a POST would go on as a GET, and the key in a header to another host. The 3xx itself is
/// the answer. A success that is a page for people, such as that of a captive portal, is no answer.
public final class URLSessionTransport: OTLPTransport {
    #if !canImport(FoundationNetworking)
    private let session: URLSession
    private let exchanges = OTLPExchanges()
    #endif

    public init() {
        #if !canImport(FoundationNetworking)
        session = Self.makeSession(telling: exchanges)
        #endif
    }

    #if !canImport(FoundationNetworking)
    deinit { session.finishTasksAndInvalidate() }
    #endif

    private static func makeSession(telling exchanges: OTLPExchanges) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 2
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        return URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    public func send(_ request: OTLPRequest) async -> SendResult {
        await withTaskGroup(of: SendResult.self) { group in
            group.addTask { await self.attempt(request) }
            // URLSession begins its own time-out anew whenever something happens on the connection.
            group.addTask {
                try? await Task.sleep(nanoseconds: UInt64(nanosecondsIn: min(request.timeout, 3_600)))
                return .unreachable("no answer within \(request.timeout) s")
            }
            defer { group.cancelAll() }
            return await group.next() ?? .unreachable("no answer")
        }
    }

    private func attempt(_ request: OTLPRequest) async -> SendResult {
        var urlRequest = URLRequest(url: request.url, timeoutInterval: request.timeout)
        urlRequest.httpMethod = "POST"
        urlRequest.httpBody = Data(request.body)
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        #if canImport(FoundationNetworking)
        // One for each request, so that no connection is used twice: where one that was used before is reset, this
        // URLSession sends the request's head once more and no body, and waits for ever, at full load.
        let exchanges = OTLPExchanges()
        let session = Self.makeSession(telling: exchanges)
        defer { session.finishTasksAndInvalidate() }
        #endif
        let task = session.dataTask(with: urlRequest)
        let exchange = OTLPExchange()
        exchanges.begin(exchange, for: task)
        return await withTaskCancellationHandler {
            task.resume()
            return await exchange.result
        } onCancel: {
            exchange.finish(.unreachable("cancelled"))
            task.cancel()
        }
    }
}
