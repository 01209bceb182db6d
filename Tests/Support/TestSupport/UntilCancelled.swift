/// Waits until the task is cancelled.
package func untilCancelled() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    continuation.finish()
    try Task.checkCancellation()
}
