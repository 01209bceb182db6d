import AstrolabePlatform
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The delegate of a traced session: ends spans, checks redirects, and calls the app's delegate.
///
/// The methods here are those that tracing needs. The app's delegate gets the others from
/// `SessionDelegateProxy+Forwarding.swift`.
final class SessionDelegateProxy: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate,
    URLSessionWebSocketDelegate
{
    struct Entry: Sendable {
        var span: TaskSpan
        var completion: TaskCompletion?
    }

    let app: (any URLSessionDelegate)?
    private let tracing: HTTPTracing
    private let entries = Locked<[Int: Entry]>([:])

    init(_ tracing: HTTPTracing, app: (any URLSessionDelegate)?) {
        self.tracing = tracing
        self.app = app
    }

    /// Must be called before the task is resumed.
    func register(_ task: URLSessionTask, _ entry: Entry) {
        entries.withLock { $0[task.taskIdentifier] = entry }
    }

    private func entry(of task: URLSessionTask) -> Entry? {
        entries.withLock { $0[task.taskIdentifier] }
    }

    private func move(_ task: URLSessionTask, to next: URLSessionTask) {
        entries.withLock { $0[next.taskIdentifier] = $0.removeValue(forKey: task.taskIdentifier) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void,
    ) {
        let (span, tracing) = (entry(of: task)?.span, tracing)
        let mayHaveHeaders = task.originalRequest.map(tracing.isAllowed) ?? true
        appWillRedirect(session, task, response, request) { request in
            completionHandler(
                request.map { next in
                    if let span { return span.redirect(to: next) }
                    // A task that the app made by the session itself.
                    return mayHaveHeaders && !tracing.isAllowed(next) ? tracing.withoutHeaders(next) : next
                })
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        if let span = entry(of: task)?.span, let timings = RequestTimings(metrics) { span.record(timings) }
        appDidCollect(session, task, metrics)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let entry = entries.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        entry?.span.end(task.response, received: task.countOfBytesReceived, error: error)
        if let completion = entry?.completion {
            completion.finish(task.response, error)
        } else {
            appDidComplete(session, task, error)
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void,
    ) {
        if entry(of: dataTask)?.completion != nil { return completionHandler(.allow) }
        appDidReceive(session, dataTask, response, completionHandler)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if let completion = entry(of: dataTask)?.completion { return completion.receive(data) }
        appDidReceive(session, dataTask, data)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask,
    ) {
        move(dataTask, to: downloadTask)
        appDidBecome(session, dataTask, downloadTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome streamTask: URLSessionStreamTask) {
        move(dataTask, to: streamTask)
        appDidBecome(session, dataTask, streamTask)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL,
    ) {
        if let completion = entry(of: downloadTask)?.completion { return completion.receive(fileAt: location) }
        (app as? any URLSessionDownloadDelegate)?.urlSession(
            session, downloadTask: downloadTask, didFinishDownloadingTo: location)
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?,
    ) {
        let entry = entries.withLock { $0.removeValue(forKey: webSocketTask.taskIdentifier) }
        entry?.span.end(webSocketTask.response, received: 0, error: nil)
        appDidClose(session, webSocketTask, closeCode, reason)
    }
}
