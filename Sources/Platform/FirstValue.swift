/// A value that is set once and awaited. The first one counts, and later ones are ignored.
///
/// A task that is cancelled goes on waiting.
package final class FirstValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [CheckedContinuation<Value, Never>] = []
    }

    private let state = Locked(State())

    package init() {}

    /// The value; waits until there is one.
    package var value: Value {
        get async {
            await withCheckedContinuation { waiter in
                let value = state.withLock { state in
                    if state.value == nil { state.waiters.append(waiter) }
                    return state.value
                }
                if let value { waiter.resume(returning: value) }
            }
        }
    }

    /// The value; `nil` if there is none within this time.
    package func value(within limit: Duration) async -> Value? {
        let outcome = FirstValue<Value?>()
        Task { outcome.set(await value) }
        let timer = Task {
            // It is cancelled when the value came first, and the outcome is set by then.
            try? await Task.sleep(for: limit)
            outcome.set(nil)
        }
        defer { timer.cancel() }
        return await outcome.value
    }

    package func set(_ value: Value) {
        let waiters = state.withLock { state -> [CheckedContinuation<Value, Never>] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }
}
