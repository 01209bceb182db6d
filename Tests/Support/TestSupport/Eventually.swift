/// Waits until a condition holds that announces its change by no event of its own.
///
/// Looks again after a pause of a few milliseconds, so that what it waits for gets the processor. A test that can await
/// an event, or advance a clock, does that instead.
///
///     try await eventually("the queue is empty") { try await queue.count == 0 }
///
/// - Parameters:
///   - what: The condition in words, for the error.
///   - holds: Looks once. An error ends the wait.
/// - Throws: `NotInTime` after a minute. The limit only ends a test that would hang; it proves nothing about speed.
package nonisolated(nonsending) func eventually(
    _ what: String, _ holds: nonisolated(nonsending) () async throws -> Bool,
) async throws {
    let limit = Duration.seconds(60)
    let end = ContinuousClock.now + limit
    while true {
        if try await holds() { return }
        guard ContinuousClock.now < end else { throw NotInTime(what: what, limit: limit) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

package struct NotInTime: Error, CustomStringConvertible {
    let what: String
    let limit: Duration

    package var description: String { "timed out after \(limit.components.seconds) s waiting until \(what)" }
}
