#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A thread for work that waits in system calls, which must not hold up a thread of the concurrency pool.
package enum DedicatedThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Starts a thread that nobody joins and whose processor time an account counts from its first to its last moment.
    ///
    /// Returns false where the system has no more threads.
    @discardableResult
    package static func start(
        countedBy account: CPUTimeMeter, _ body: @escaping @Sendable () -> Void,
    ) -> Bool {
        let work = Unmanaged.passRetained(Work { account.countThread(body) })
        #if canImport(Glibc) || canImport(Android)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let result = pthread_create(&thread, nil, Self.main, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        #if canImport(Glibc) || canImport(Android)
        pthread_detach(thread)
        #else
        if let thread { pthread_detach(thread) }
        #endif
        return true
    }

    #if canImport(Darwin)
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
    }
    #elseif canImport(Android)
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer = { context in
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return context
    }
    #else
    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
        return nil
    }
    #endif
}
