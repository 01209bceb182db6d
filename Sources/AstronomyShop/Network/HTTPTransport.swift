import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests through one `URLSession`, with bounds on time and on what is kept of an answer.
///
/// Nothing is cached or stored, and cookies are neither taken nor sent. Redirects are not followed, as an API has no
/// use for them and a checkout must not be sent on to another host: the 3xx itself is the answer.
final class HTTPTransport: Sendable {
    struct Limits: Sendable {
        /// Until the first byte, and between any two. Default 15 s.
        var idleTime: Duration = .seconds(15)
        /// From the first byte sent to the last received. Default 60 s.
        var wholeTime: Duration = .seconds(60)
        /// Bytes of a success. Default 4 MiB; more is ``TransportFailure/answerTooLarge``.
        var answerSize = 4 << 20
        /// Bytes kept of an answer that is no success; what follows is not read. Default 64 KiB.
        var errorSize = 64 << 10
    }

    private let session: URLSession
    private let exchanges = HTTPExchanges()
    private let limits: Limits

    init(limits: Limits = Limits()) {
        self.limits = limits
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = limits.idleTime.inSeconds
        configuration.timeoutIntervalForResource = limits.wholeTime.inSeconds
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// The answer, whatever its status.
    ///
    /// - Throws: `TransportFailure`, or `CancellationError` as soon as the task is cancelled.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body
        urlRequest.timeoutInterval = limits.idleTime.inSeconds
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: urlRequest)
        let exchange = HTTPExchange(limits: limits)
        exchanges.begin(exchange, for: task)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.onFinish { continuation.resume(with: $0) }
                task.resume()
            }
        } onCancel: {
            exchange.finish(.failure(CancellationError()))
            task.cancel()
        }
    }
}

/// What has come of one answer so far, and who waits for it.
private final class HTTPExchange: @unchecked Sendable {  // the lock orders every access to the state
    private let limits: HTTPTransport.Limits
    private let lock = NSLock()
    private var head: HTTPURLResponse?
    private var body = Data()
    private var outcome: Result<HTTPResponse, any Error>?
    private var waiter: ((Result<HTTPResponse, any Error>) -> Void)?

    init(limits: HTTPTransport.Limits) {
        self.limits = limits
    }

    /// Calls `waiter` once, now where the exchange is over already.
    func onFinish(_ waiter: @escaping (Result<HTTPResponse, any Error>) -> Void) {
        let outcome = lock.withLock { () -> Result<HTTPResponse, any Error>? in
            if self.outcome == nil { self.waiter = waiter }
            return self.outcome
        }
        if let outcome { waiter(outcome) }
    }

    /// The first outcome counts.
    func finish(_ outcome: Result<HTTPResponse, any Error>) {
        let waiter = lock.withLock { () -> ((Result<HTTPResponse, any Error>) -> Void)? in
            guard self.outcome == nil else { return nil }
            self.outcome = outcome
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?(outcome)
    }

    func receive(_ response: URLResponse) {
        lock.withLock { head = response as? HTTPURLResponse }
    }

    /// False where enough has come and the task may be cancelled.
    func receive(_ data: Data) -> Bool {
        let outcome = lock.withLock { () -> Result<HTTPResponse, any Error>? in
            body.append(data)
            guard let head else { return nil }
            if (200...299).contains(head.statusCode) {
                return body.count > limits.answerSize ? .failure(TransportFailure.answerTooLarge) : nil
            }
            return body.count > limits.errorSize ? .success(response(head, isCut: true)) : nil
        }
        if let outcome { finish(outcome) }
        return outcome == nil
    }

    func complete(_ error: (any Error)?) {
        let outcome = lock.withLock { () -> Result<HTTPResponse, any Error> in
            switch (error, head) {
            case (let error as URLError, _) where error.code == .cancelled: .failure(CancellationError())
            case (let error as URLError, _): .failure(TransportFailure(error, hasBegun: head != nil))
            case (nil, let head?): .success(response(head, isCut: false))
            default: .failure(TransportFailure.other)
            }
        }
        finish(outcome)
    }

    private func response(_ head: HTTPURLResponse, isCut: Bool) -> HTTPResponse {
        HTTPResponse(
            status: head.statusCode,
            announcedLength: head.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) },
            contentType: head.value(forHTTPHeaderField: "Content-Type"),
            body: isCut ? body.prefix(limits.errorSize) : body, bodyIsCut: isCut,
        )
    }
}

/// Leads what the session reports to the exchange that it is about.
private final class HTTPExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {  // the lock orders access
    private let lock = NSLock()
    private var byTask: [Int: HTTPExchange] = [:]

    func begin(_ exchange: HTTPExchange, for task: URLSessionTask) {
        lock.withLock { byTask[task.taskIdentifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> HTTPExchange? {
        lock.withLock { byTask[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void,
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if exchange(of: dataTask)?.receive(data) == false { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void,
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        lock.withLock { byTask.removeValue(forKey: task.taskIdentifier) }?.complete(error)
    }
}

extension Duration {
    /// For Foundation, whose intervals are `Double`s.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
