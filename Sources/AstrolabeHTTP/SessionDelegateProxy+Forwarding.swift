import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

/// Calls the app's delegate. On Linux each method of the protocols has a default implementation.
extension SessionDelegateProxy {
    private var taskDelegate: (any URLSessionTaskDelegate)? { app as? any URLSessionTaskDelegate }
    private var dataDelegate: (any URLSessionDataDelegate)? { app as? any URLSessionDataDelegate }
    private var downloadDelegate: (any URLSessionDownloadDelegate)? { app as? any URLSessionDownloadDelegate }
    private var webSocketDelegate: (any URLSessionWebSocketDelegate)? { app as? any URLSessionWebSocketDelegate }

    func appWillRedirect(
        _ session: URLSession, _ task: URLSessionTask, _ response: HTTPURLResponse, _ request: URLRequest,
        _ completionHandler: @escaping @Sendable (URLRequest?) -> Void,
    ) {
        guard let taskDelegate else { return completionHandler(request) }
        taskDelegate.urlSession(
            session, task: task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
    }

    func appDidCollect(_ session: URLSession, _ task: URLSessionTask, _ metrics: URLSessionTaskMetrics) {
        taskDelegate?.urlSession(session, task: task, didFinishCollecting: metrics)
    }

    func appDidComplete(_ session: URLSession, _ task: URLSessionTask, _ error: (any Error)?) {
        taskDelegate?.urlSession(session, task: task, didCompleteWithError: error)
    }

    func appDidReceive(
        _ session: URLSession, _ task: URLSessionDataTask, _ response: URLResponse,
        _ completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void,
    ) {
        guard let dataDelegate else { return completionHandler(.allow) }
        dataDelegate.urlSession(session, dataTask: task, didReceive: response, completionHandler: completionHandler)
    }

    func appDidReceive(_ session: URLSession, _ task: URLSessionDataTask, _ data: Data) {
        dataDelegate?.urlSession(session, dataTask: task, didReceive: data)
    }

    func appDidBecome(_ session: URLSession, _ task: URLSessionDataTask, _ next: URLSessionDownloadTask) {
        dataDelegate?.urlSession(session, dataTask: task, didBecome: next)
    }

    func appDidBecome(_ session: URLSession, _ task: URLSessionDataTask, _ next: URLSessionStreamTask) {
        dataDelegate?.urlSession(session, dataTask: task, didBecome: next)
    }

    func appDidClose(
        _ session: URLSession, _ task: URLSessionWebSocketTask, _ code: URLSessionWebSocketTask.CloseCode,
        _ reason: Data?,
    ) {
        webSocketDelegate?.urlSession(session, webSocketTask: task, didCloseWith: code, reason: reason)
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        app?.urlSession(session, didBecomeInvalidWithError: error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void,
    ) {
        guard let taskDelegate else { return completionHandler(.performDefaultHandling, nil) }
        taskDelegate.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void,
    ) {
        guard let taskDelegate else { return completionHandler(nil) }
        taskDelegate.urlSession(session, task: task, needNewBodyStream: completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64,
    ) {
        taskDelegate?.urlSession(
            session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
            totalBytesExpectedToSend: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void,
    ) {
        guard let dataDelegate else { return completionHandler(proposed) }
        dataDelegate.urlSession(
            session, dataTask: dataTask, willCacheResponse: proposed, completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64,
    ) {
        downloadDelegate?.urlSession(
            session, downloadTask: downloadTask, didWriteData: bytesWritten, totalBytesWritten: totalBytesWritten,
            totalBytesExpectedToWrite: totalBytesExpectedToWrite)
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol name: String?,
    ) {
        webSocketDelegate?.urlSession(session, webSocketTask: webSocketTask, didOpenWithProtocol: name)
    }
}
#else
/// Calls the app's delegate. Methods that tracing does not need go to it directly, by the Objective-C runtime.
extension SessionDelegateProxy {
    override func responds(to selector: Selector) -> Bool {
        super.responds(to: selector) || app?.responds(to: selector) == true
    }

    override func forwardingTarget(for selector: Selector) -> Any? {
        app?.responds(to: selector) == true ? app : super.forwardingTarget(for: selector)
    }

    // An Objective-C delegate may implement methods of protocols that it does not declare, and URLSession calls them.
    // All methods of these protocols are optional, so each call asks the object first.
    private var taskDelegate: (any URLSessionTaskDelegate)? {
        app.map { unsafeBitCast($0, to: (any URLSessionTaskDelegate).self) }
    }
    private var dataDelegate: (any URLSessionDataDelegate)? {
        app.map { unsafeBitCast($0, to: (any URLSessionDataDelegate).self) }
    }
    private var webSocketDelegate: (any URLSessionWebSocketDelegate)? {
        app.map { unsafeBitCast($0, to: (any URLSessionWebSocketDelegate).self) }
    }

    func appWillRedirect(
        _ session: URLSession, _ task: URLSessionTask, _ response: HTTPURLResponse, _ request: URLRequest,
        _ completionHandler: @escaping @Sendable (URLRequest?) -> Void,
    ) {
        let isCalled: Void? = taskDelegate?.urlSession?(
            session, task: task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
        if isCalled == nil { completionHandler(request) }
    }

    func appDidCollect(_ session: URLSession, _ task: URLSessionTask, _ metrics: URLSessionTaskMetrics) {
        taskDelegate?.urlSession?(session, task: task, didFinishCollecting: metrics)
    }

    func appDidComplete(_ session: URLSession, _ task: URLSessionTask, _ error: (any Error)?) {
        taskDelegate?.urlSession?(session, task: task, didCompleteWithError: error)
    }

    func appDidReceive(
        _ session: URLSession, _ task: URLSessionDataTask, _ response: URLResponse,
        _ completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void,
    ) {
        let isCalled: Void? = dataDelegate?.urlSession?(
            session, dataTask: task, didReceive: response, completionHandler: completionHandler)
        if isCalled == nil { completionHandler(.allow) }
    }

    func appDidReceive(_ session: URLSession, _ task: URLSessionDataTask, _ data: Data) {
        dataDelegate?.urlSession?(session, dataTask: task, didReceive: data)
    }

    func appDidBecome(_ session: URLSession, _ task: URLSessionDataTask, _ next: URLSessionDownloadTask) {
        dataDelegate?.urlSession?(session, dataTask: task, didBecome: next)
    }

    func appDidBecome(_ session: URLSession, _ task: URLSessionDataTask, _ next: URLSessionStreamTask) {
        dataDelegate?.urlSession?(session, dataTask: task, didBecome: next)
    }

    func appDidClose(
        _ session: URLSession, _ task: URLSessionWebSocketTask, _ code: URLSessionWebSocketTask.CloseCode,
        _ reason: Data?,
    ) {
        webSocketDelegate?.urlSession?(session, webSocketTask: task, didCloseWith: code, reason: reason)
    }
}
#endif
