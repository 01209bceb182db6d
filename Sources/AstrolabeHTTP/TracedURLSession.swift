public import Astrolabe
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Makes tasks of a `URLSession` of its own, each with a client span.
///
///     let session = TracedURLSession(telemetry, allowedHosts: ["api.example.com"])
///     let (data, response) = try await session.data(for: request, template: "/api/products/{id}")
///
/// The span starts when the task is made, as a child of the current span, and ends with the task. It has what
/// ``HTTPTracing`` says. The headers go to allowed hosts only, also after redirects. Each redirect counts as a resend
/// in `http.request.resend_count`. On Apple platforms the span has the times of `URLSessionTaskMetrics`.
///
/// The app's delegate gets the callbacks of tasks without completion handlers. A delegate of a single task takes
/// callbacks away from the session's. If it has `urlSession(_:task:didCompleteWithError:)`, the span does not end. If
/// it has the callback for redirects, it must remove the headers itself.
///
/// As with `URLSession`, the session ends with ``session``'s `finishTasksAndInvalidate()`, or with this object.
public final class TracedURLSession: Sendable {
    /// The session that sends. Tasks that it makes itself have no span.
    public let session: URLSession
    let tracing: HTTPTracing
    private let proxy: SessionDelegateProxy

    /// Creates a session whose tasks are traced.
    ///
    /// - Parameters:
    ///   - configuration: Default `default`. A background session is traced while this process lives.
    ///   - delegate: The app's delegate, retained until the session is invalidated.
    ///   - delegateQueue: Where delegate and completion handlers run. Default a serial queue.
    public init(
        _ tracing: HTTPTracing, configuration: URLSessionConfiguration = .default,
        delegate: (any URLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil,
    ) {
        self.tracing = tracing
        proxy = SessionDelegateProxy(tracing, app: delegate)
        session = URLSession(configuration: configuration, delegate: proxy, delegateQueue: delegateQueue)
    }

    /// Creates a session whose tasks are traced.
    ///
    /// - Parameter allowedHosts: The hosts that get trace context and session: the app's own backends.
    public convenience init(
        _ telemetry: Telemetry, allowedHosts: AllowedHosts, configuration: URLSessionConfiguration = .default,
        delegate: (any URLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil,
    ) {
        self.init(
            HTTPTracing(telemetry, allowedHosts: allowedHosts), configuration: configuration, delegate: delegate,
            delegateQueue: delegateQueue)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Makes a task whose response goes to the delegate.
    ///
    /// - Parameters:
    ///   - template: The path with its variable parts in braces. If it is `nil`, the span is named by the method alone.
    ///   - resendCount: How many times the app has sent this request before. Default 0.
    public func dataTask(
        with request: URLRequest, template: String? = nil, resendCount: Int = 0,
    ) -> URLSessionDataTask {
        trace(request, template, resendCount) { session.dataTask(with: $0) }
    }

    /// Makes a task that sends `body`, and whose response goes to the delegate.
    public func uploadTask(
        with request: URLRequest, from body: Data, template: String? = nil, resendCount: Int = 0,
    ) -> URLSessionUploadTask {
        trace(request, template, resendCount) { session.uploadTask(with: $0, from: body) }
    }

    /// Makes a task that sends a file, and whose response goes to the delegate.
    public func uploadTask(
        with request: URLRequest, fromFile file: URL, template: String? = nil, resendCount: Int = 0,
    ) -> URLSessionUploadTask {
        trace(request, template, resendCount) { session.uploadTask(with: $0, fromFile: file) }
    }

    /// Makes a task that sends the stream of the delegate's `needNewBodyStream`.
    public func uploadTask(
        withStreamedRequest request: URLRequest, template: String? = nil, resendCount: Int = 0,
    ) -> URLSessionUploadTask {
        trace(request, template, resendCount) { session.uploadTask(withStreamedRequest: $0) }
    }

    /// Makes a task that writes the response to a file, which goes to the delegate.
    public func downloadTask(
        with request: URLRequest, template: String? = nil, resendCount: Int = 0,
    ) -> URLSessionDownloadTask {
        trace(request, template, resendCount) { session.downloadTask(with: $0) }
    }

    /// Makes a WebSocket, whose span ends when it closes. Its duration is not measured as one of a request.
    public func webSocketTask(with request: URLRequest, template: String? = nil) -> URLSessionWebSocketTask {
        trace(request, template, isMeasured: false) { session.webSocketTask(with: $0) }
    }

    /// Starts a span and registers the task with it.
    func trace<Task: URLSessionTask>(
        _ request: URLRequest, _ template: String?, _ resendCount: Int = 0, isMeasured: Bool = true,
        completion: TaskCompletion? = nil, make: (URLRequest) -> Task,
    ) -> Task {
        let span = TaskSpan(
            tracing, request, template: template, resendCount: resendCount, isMeasured: isMeasured)
        let task = make(span.tracedRequest)
        proxy.register(task, SessionDelegateProxy.Entry(span: span, completion: completion))
        return task
    }
}
