import AstrolabePlatform
import AstrolabeRecording
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The received part of one response, and the caller that waits for it.
final class HTTPExchange: Sendable {
    typealias Outcome = Result<TracedResponse, any Error>

    private struct State {
        var head: HTTPURLResponse?
        var body = Data()
        var redirects = 0
        var task: URLSessionTask?
        var outcome: Outcome?
        var waiter: (@Sendable (Outcome) -> Void)?
    }

    private let limits: HTTPLimits
    private let state = Locked(State())

    init(limits: HTTPLimits) {
        self.limits = limits
    }

    /// Calls `waiter` once, now where the exchange is over already.
    func onFinish(_ waiter: @escaping @Sendable (Outcome) -> Void) {
        let outcome = state.withLock { state -> Outcome? in
            if state.outcome == nil { state.waiter = waiter }
            return state.outcome
        }
        if let outcome { waiter(outcome) }
    }

    /// Starts the task whose answer this is, which ends with the exchange; where that is over, it does not start.
    func begin(_ task: URLSessionTask) {
        let isOver = state.withLock { state -> Bool in
            if state.outcome == nil { state.task = task }
            return state.outcome != nil
        }
        if isOver { task.cancel() } else { task.resume() }
    }

    /// Finishes with the first outcome that arrives; a task that is not complete is cancelled.
    func finish(_ outcome: Outcome) {
        let (waiter, task) = state.withLock { state -> ((@Sendable (Outcome) -> Void)?, URLSessionTask?) in
            guard state.outcome == nil else { return (nil, nil) }
            state.outcome = outcome
            defer { (state.waiter, state.task) = (nil, nil) }
            return (state.waiter, state.task)
        }
        task?.cancel()
        waiter?(outcome)
    }

    func receive(_ response: URLResponse) {
        state.withLock { $0.head = response as? HTTPURLResponse }
    }

    func receive(_ data: Data) {
        let outcome = state.withLock { [limits] state -> Outcome? in
            state.body.append(data)
            guard let head = state.head else { return nil }
            if (200...299).contains(head.statusCode) {
                return state.body.count > limits.maxResponseBytes ? .failure(TransportFailure.responseTooLarge) : nil
            }
            guard state.body.count > limits.errorSize else { return nil }
            return .success(Self.answer(head, state.body.prefix(limits.errorSize), isCut: true))
        }
        if let outcome { finish(outcome) }
    }

    func complete(_ error: (any Error)?) {
        let outcome = state.withLock { state -> Outcome in
            switch (error, state.head) {
            case (let error?, _) where ExceptionDescription.isCancellation(error): .failure(CancellationError())
            case (let error as URLError, let head): .failure(TransportFailure(error, hasBegun: head != nil))
            case (nil, let head?): .success(Self.answer(head, state.body, isCut: false))
            default: .failure(TransportFailure.other)
            }
        }
        finish(outcome)
    }

    /// The request to follow a redirect with: `next`, or `nil` if the redirect itself is the response.
    ///
    /// A request that only asks may go on at the same scheme, host and port, which know already what it carries.
    /// Nothing else may: an order must not be sent on, and no other host learns of the session.
    func redirect(from response: HTTPURLResponse, to next: URLRequest, asked method: String?) -> URLRequest? {
        guard let origin = response.url, let target = next.url,
            ["GET", "HEAD"].contains(method ?? "GET"), origin.isSameOrigin(as: target)
        else { return nil }
        let redirects = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        return redirects <= Self.redirectLimit ? next : nil
    }

    /// Of one request, as `fetch` of browsers has it: 20.
    private static let redirectLimit = 20

    private static func answer(_ head: HTTPURLResponse, _ body: Data, isCut: Bool) -> TracedResponse {
        TracedResponse(
            status: head.statusCode,
            expectedContentLength: head.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) },
            wireSize: head.bodySize(received: isCut ? nil : body.count),
            contentType: head.value(forHTTPHeaderField: "Content-Type"), body: body, isBodyTruncated: isCut,
        )
    }
}

extension URL {
    fileprivate func isSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host?.lowercased() == other.host?.lowercased()
            && portOrDefault == other.portOrDefault
    }
}
