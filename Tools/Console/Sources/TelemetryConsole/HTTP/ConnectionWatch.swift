import AstrolabePlatform
import NIOCore

/// Cancels the work on a request when its connection closes.
///
/// A connection has one request at a time.
final class ConnectionWatch: Sendable {
    /// The tasks to cancel when a connection closes. A connection stays in the table until then.
    private let work = Locked<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// Runs `body` in a task of its own, with the values of the current task.
    ///
    /// - Throws: What `body` throws: `CancellationError` if it was cancelled.
    func run<Value: Sendable>(
        for connection: any Channel, _ body: @escaping @Sendable () async throws -> Value,
    ) async throws -> Value {
        let id = ObjectIdentifier(connection)
        let task = Task { try await body() }
        let isNew = work.withLock { work in work.updateValue({ task.cancel() }, forKey: id) == nil }
        if isNew {
            connection.closeFuture.whenComplete { [self] _ in
                let cancel = work.withLock { work in work.removeValue(forKey: id) }
                cancel?()
            }
        }
        defer {
            work.withLock { work in
                if work[id] != nil { work[id] = {} }
            }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
