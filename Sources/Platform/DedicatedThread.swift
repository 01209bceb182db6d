#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A thread for work that blocks in system calls and must not occupy a thread of the concurrency pool.
package enum DedicatedThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Starts a detached thread whose CPU time is counted from start to end.
    ///
    /// - Returns: False if the system cannot create a thread.
    @discardableResult
    package static func start(
        countedBy meter: CPUTimeMeter, _ body: @escaping @Sendable () -> Void,
    ) -> Bool {
        let work = Unmanaged.passRetained(Work { meter.countThread(body) })
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
