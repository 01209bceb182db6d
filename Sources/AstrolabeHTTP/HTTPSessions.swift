import AstrolabePlatform
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The source of the sessions for requests, in which the platforms differ.
///
/// On Apple's systems one session serves all requests. Elsewhere each request has a session of its own, and so a
/// connection of its own. If a used connection is reset there, `URLSession` sends the request's head once more, without
/// the body, and then waits at full load.
final class HTTPSessions: Sendable {
    #if canImport(FoundationNetworking)
    func start(_ request: URLRequest, for exchange: HTTPExchange) {
        let delegate = HTTPExchanges()
        let session = Self.makeSession(delegate)
        delegate.start(session.dataTask(with: request), for: exchange)
        session.finishTasksAndInvalidate()
    }
    #else
    private let delegate: HTTPExchanges
    private let session: URLSession

    init() {
        delegate = HTTPExchanges()
        session = Self.makeSession(delegate)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    func start(_ request: URLRequest, for exchange: HTTPExchange) {
        delegate.start(session.dataTask(with: request), for: exchange)
    }
    #endif

    private static func makeSession(_ delegate: HTTPExchanges) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }
}

/// Leads what a session reports to the exchange that it is about.
private final class HTTPExchanges: NSObject, URLSessionDataDelegate {
    private let byTask = Locked<[Int: HTTPExchange]>([:])

    func start(_ task: URLSessionTask, for exchange: HTTPExchange) {
        byTask.withLock { $0[task.taskIdentifier] = exchange }
        exchange.begin(task)
    }

    private func exchange(of task: URLSessionTask) -> HTTPExchange? {
        byTask.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void,
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void,
    ) {
        let method = task.originalRequest?.httpMethod
        completionHandler(exchange(of: task)?.redirect(from: response, to: request, asked: method))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        byTask.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(error)
    }
}
