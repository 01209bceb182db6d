import Synchronization

/// A value that any thread may read and write, one at a time.
///
/// Not the SDK's `MutexValue`: what stands in for an Apple framework depends on nothing of the SDK's, and runs on Linux
/// only, where `Mutex` is always available.
final class MutexValue<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) {
        state = Mutex(value)
    }

    var value: Value { state.withLock { $0 } }

    func update(_ change: (inout Value) -> Void) {
        state.withLock { change(&$0) }
    }
}
