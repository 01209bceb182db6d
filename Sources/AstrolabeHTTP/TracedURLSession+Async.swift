import AstrolabePlatform
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension TracedURLSession {
    /// Returns the whole body and the response, whatever its status.
    ///
    /// - Throws: `URLError`; its code is `cancelled` if the current task is cancelled.
    public func data(
        for request: URLRequest, template: String? = nil, resendCount: Int = 0,
    ) async throws -> (Data, URLResponse) {
        try await result {
            self.dataTask(with: request, template: template, resendCount: resendCount, completionHandler: $0)
        }
    }

    /// Sends `body` and returns the response's body.
    public func upload(
        for request: URLRequest, from body: Data, template: String? = nil, resendCount: Int = 0,
    ) async throws -> (Data, URLResponse) {
        try await result {
            self.uploadTask(
                with: request, from: body, template: template, resendCount: resendCount, completionHandler: $0)
        }
    }

    /// Sends a file and returns the response's body.
    public func upload(
        for request: URLRequest, fromFile file: URL, template: String? = nil, resendCount: Int = 0,
    ) async throws -> (Data, URLResponse) {
        try await result {
            self.uploadTask(
                with: request, fromFile: file, template: template, resendCount: resendCount, completionHandler: $0)
        }
    }

    /// Writes the response to a temporary file, which the caller moves or deletes.
    public func download(
        for request: URLRequest, template: String? = nil, resendCount: Int = 0,
    ) async throws -> (URL, URLResponse) {
        try await result { handler in
            self.downloadTask(with: request, template: template, resendCount: resendCount) { file, response, error in
                guard let file else { return handler(nil, response, error) }
                let kept = file.deletingLastPathComponent().appendingPathComponent("kept-\(UUID().uuidString)")
                do {
                    try FileManager.default.moveItem(at: file, to: kept)
                    handler(kept, response, nil)
                } catch {
                    handler(nil, response, error)
                }
            }
        }
    }

    private func result<Body: Sendable>(
        _ make: (@escaping @Sendable (Body?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
    ) async throws -> (Body, URLResponse) {
        let running = RunningTask()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                running.start(
                    make { body, response, error in
                        guard let body, let response, error == nil else {
                            return continuation.resume(throwing: error ?? URLError(.badServerResponse))
                        }
                        continuation.resume(returning: (body, response))
                    })
            }
        } onCancel: {
            running.cancel()
        }
    }
}

/// A task that a cancellation can reach before it starts.
final class RunningTask: Sendable {
    private let state = Locked<(task: URLSessionTask?, isCancelled: Bool)>((nil, false))

    func start(_ task: URLSessionTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        task.resume()
        if isCancelled { task.cancel() }
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            return state.task
        }?.cancel()
    }
}
