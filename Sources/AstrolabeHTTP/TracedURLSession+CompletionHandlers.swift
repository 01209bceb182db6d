public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension TracedURLSession {
    /// Makes a task that calls `completionHandler` with the whole body.
    ///
    /// The handler runs on the delegate queue. The app's delegate gets the task's redirects, challenges, progress and
    /// metrics only.
    public func dataTask(
        with request: URLRequest, template: String? = nil, resendCount: Int = 0,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void,
    ) -> URLSessionDataTask {
        trace(request, template, resendCount, completion: TaskCompletion(data: completionHandler)) {
            session.dataTask(with: $0)
        }
    }

    /// Makes a task that sends `body` and calls `completionHandler` with the response's body.
    public func uploadTask(
        with request: URLRequest, from body: Data, template: String? = nil, resendCount: Int = 0,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void,
    ) -> URLSessionUploadTask {
        trace(request, template, resendCount, completion: TaskCompletion(data: completionHandler)) {
            session.uploadTask(with: $0, from: body)
        }
    }

    /// Makes a task that sends a file and calls `completionHandler` with the response's body.
    public func uploadTask(
        with request: URLRequest, fromFile file: URL, template: String? = nil, resendCount: Int = 0,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void,
    ) -> URLSessionUploadTask {
        trace(request, template, resendCount, completion: TaskCompletion(data: completionHandler)) {
            session.uploadTask(with: $0, fromFile: file)
        }
    }

    /// Makes a task that calls `completionHandler` with a file, which is deleted when the handler returns.
    public func downloadTask(
        with request: URLRequest, template: String? = nil, resendCount: Int = 0,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void,
    ) -> URLSessionDownloadTask {
        trace(request, template, resendCount, completion: TaskCompletion(file: completionHandler)) {
            session.downloadTask(with: $0)
        }
    }
}
