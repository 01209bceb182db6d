import Foundation

/// A value for the code that a function calls synchronously, on the same thread.
///
/// Tasks do not inherit it, unlike a task-local value: they run after the scope, or on another thread.
final class ScopedValue<Value>: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        self.key = key
    }

    var current: Value? {
        pthread_getspecific(key)?.assumingMemoryBound(to: Value.self).pointee
    }

    func with<Result>(_ value: Value, _ body: () throws -> Result) rethrows -> Result {
        let outer = pthread_getspecific(key)
        defer { pthread_setspecific(key, outer) }
        return try withUnsafePointer(to: value) { pointer in
            pthread_setspecific(key, pointer)
            return try body()
        }
    }
}
