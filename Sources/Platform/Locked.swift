#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A value guarded by the platform's lock: the project's only lock type.
///
///     let count = Locked(0)
///     count.withLock { $0 += 1 }
///
/// Do not use it on the span path. It is not recursive. Perform no I/O and call no closures of others while holding it.
package final class Locked<Value>: @unchecked Sendable {  // the lock orders every access to `value`
    private var value: Value
    private let lock: UnsafeMutablePointer<PlatformLock>

    package init(_ value: Value) {
        self.value = value
        lock = .allocate(capacity: 1)
        PlatformLock.initialize(lock)
    }

    deinit {
        PlatformLock.destroy(lock)
        lock.deallocate()
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        PlatformLock.lock(lock)
        defer { PlatformLock.unlock(lock) }
        return try body(&value)
    }

    /// Replaces the value and returns the one before.
    package func exchange(_ new: Value) -> Value {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}

#if canImport(Darwin)
private typealias PlatformLock = os_unfair_lock_s

extension os_unfair_lock_s {
    static func initialize(_ lock: UnsafeMutablePointer<Self>) { lock.initialize(to: Self()) }
    static func destroy(_ lock: UnsafeMutablePointer<Self>) {}
    static func lock(_ lock: UnsafeMutablePointer<Self>) { os_unfair_lock_lock(lock) }
    static func unlock(_ lock: UnsafeMutablePointer<Self>) { os_unfair_lock_unlock(lock) }
}
#else
private typealias PlatformLock = pthread_mutex_t

extension pthread_mutex_t {
    static func initialize(_ lock: UnsafeMutablePointer<Self>) {
        lock.initialize(to: Self())
        pthread_mutex_init(lock, nil)
    }
    static func destroy(_ lock: UnsafeMutablePointer<Self>) { pthread_mutex_destroy(lock) }
    static func lock(_ lock: UnsafeMutablePointer<Self>) { pthread_mutex_lock(lock) }
    static func unlock(_ lock: UnsafeMutablePointer<Self>) { pthread_mutex_unlock(lock) }
}
#endif
