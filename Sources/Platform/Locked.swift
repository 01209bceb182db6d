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
/// Do not use it on the span path. It is not recursive. While it is held, record nothing, call no closure of the app
/// and perform no I/O: collect what is to be done, release the lock, and do it then. Debug builds report a breach, see
/// ``LockRule``.
package final class Locked<Value>: @unchecked Sendable {  // the lock orders every access to `value`
    private var value: Value
    private let lock: UnsafeMutablePointer<PlatformLock>
    #if DEBUG
    private let isHeldDuringIO: Bool
    #endif

    /// - Parameter isHeldDuringIO: Whether the lock serializes I/O, which is then allowed while it is held. Default
    ///   false.
    package init(_ value: Value, isHeldDuringIO: Bool = false) {
        self.value = value
        lock = .allocate(capacity: 1)
        PlatformLock.initialize(lock)
        #if DEBUG
        self.isHeldDuringIO = isHeldDuringIO
        #endif
    }

    deinit {
        PlatformLock.destroy(lock)
        lock.deallocate()
    }

    #if DEBUG
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result, file: StaticString = #fileID, line: UInt = #line,
    ) throws(Failure) -> Result {
        PlatformLock.lock(lock)
        defer { PlatformLock.unlock(lock) }
        let place = HeldLock.Place(file: file, line: line, isHeldDuringIO: isHeldDuringIO)
        return try HeldLock.note(place) { () throws(Failure) -> Result in try body(&value) }
    }
    #else
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        PlatformLock.lock(lock)
        defer { PlatformLock.unlock(lock) }
        return try body(&value)
    }
    #endif

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
