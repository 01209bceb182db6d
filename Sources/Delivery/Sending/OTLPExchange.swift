import AstrolabePlatform
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The state of one response in progress, and its result.
final class OTLPExchange: Sendable {
    private struct State {
        var head: ResponseHead?
        var body: [UInt8] = []
    }

    private let state = Locked(State())
    private let outcome = FirstValue<SendResult>()
    private let acceptsPages: Bool

    /// - Parameter acceptsPages: See `OTLPRequest.acceptsPages`.
    init(acceptsPages: Bool = false) {
        self.acceptsPages = acceptsPages
    }

    /// The result of the exchange; waits until there is one.
    var result: SendResult {
        get async { await outcome.value }
    }

    /// Sets the result; later results are ignored.
    func finish(_ result: SendResult) { outcome.set(result) }

    func receive(_ head: ResponseHead?) {
        state.withLock { state in
            state.head = head
            state.head?.acceptsPages = acceptsPages
        }
    }

    /// Appends data; returns false if enough has arrived and the task may be cancelled.
    func receive(_ data: Data) -> Bool {
        let result = state.withLock { state -> SendResult? in
            state.body += data.prefix(ResponseHead.maximumBodyBytes - state.body.count)
            guard let head = state.head, head.isEnough(state.body) else { return nil }
            return head.result(body: state.body)
        }
        if let result { finish(result) }
        return result == nil
    }

    func complete(_ error: (any Error)?) {
        if let error {
            let isTimeout = (error as? URLError)?.code == .timedOut
            return finish(isTimeout ? .timedOut : .unreachable((error as NSError).localizedDescription))
        }
        let (head, body) = state.withLock { ($0.head, $0.body) }
        finish(head?.result(body: body) ?? .unreachable("the response is not HTTP"))
    }
}

/// The parts of a response head that matter to an OTLP exporter.
package struct ResponseHead: Equatable, Sendable {
    var status: Int
    var retryAfter: Duration?
    var contentType: String?
    /// See `OTLPRequest.acceptsPages`.
    var acceptsPages = false

    /// Maximum bytes of a response's body that a transport reads: a status message needs less, and a document of remote
    /// policy has at most 64 KiB.
    package static let maximumBodyBytes = 131_072

    init(status: Int, retryAfter: Duration? = nil, contentType: String? = nil) {
        self.status = status
        self.retryAfter = retryAfter
        self.contentType = contentType
    }

    /// Creates the head of a response to a request, from the values of its header fields.
    package init(status: Int, retryAfter: String?, contentType: String?, for request: OTLPRequest) {
        self.init(
            status: status, retryAfter: retryAfter.flatMap { Self.delay(retryAfter: $0) }, contentType: contentType)
        acceptsPages = request.acceptsPages
    }

    init?(_ response: URLResponse) {
        guard let http = response as? HTTPURLResponse else { return nil }
        status = http.statusCode
        retryAfter = http.value(forHTTPHeaderField: "Retry-After").flatMap { Self.delay(retryAfter: $0) }
        contentType = http.value(forHTTPHeaderField: "Content-Type")
    }

    /// True if a success has an HTML body: an intermediary responded instead of the server. Other content types are
    /// accepted, because some servers send their `{}` or "ok" with an arbitrary type.
    private var isHTMLPage: Bool {
        !acceptsPages && (200..<300).contains(status) && ["text/html", "application/xhtml+xml"].contains(mediaType)
    }

    /// Returns true if the rest of the body is of no use.
    package func isEnough(_ body: [UInt8]) -> Bool {
        body.count >= Self.maximumBodyBytes || isHTMLPage && !body.isEmpty
    }

    package func result(body: [UInt8]) -> SendResult {
        if isHTMLPage, !body.isEmpty {
            return .unreachable("expected an OTLP response, got HTTP \(status) with \(mediaType ?? "no content type")")
        }
        return .response(status: status, retryAfter: retryAfter, body: body)
    }

    /// The media type without parameters, in lowercase.
    private var mediaType: String? {
        contentType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// Parses a `Retry-After` value, either seconds or a date of RFC 9110. A year is the longest delay.
    ///
    /// The RFC knows whole seconds only. A fraction is read too, for servers that send one; the backoff is the minimum:
    /// see ``RetryPolicy``.
    static func delay(retryAfter text: String, now: Date = Date()) -> Duration? {
        let year = 31_536_000.0
        if let seconds = Double(text), seconds >= 0 { return .seconds(min(seconds, year)) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: text).map { .seconds(min(max(0, $0.timeIntervalSince(now)), year)) }
    }
}

/// Routes the callbacks of a session to the exchange they belong to.
final class OTLPExchanges: NSObject, URLSessionDataDelegate, Sendable {
    private let byTask = Locked<[Int: OTLPExchange]>([:])

    func begin(_ exchange: OTLPExchange, for task: URLSessionTask) {
        byTask.withLock { $0[task.taskIdentifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> OTLPExchange? { byTask.withLock { $0[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void,
    ) {
        exchange(of: dataTask)?.receive(ResponseHead(response))
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
        byTask.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(error)
    }
}
