import CAstrolabeCrashCapture

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The CPU time of the main thread, which distinguishes a hang that computes from one that waits.
enum MainThreadTime {
    /// Nanoseconds since the process began; `nil` if the system does not report it, as on Apple platforms.
    static var nanoseconds: UInt64? {
        #if os(Linux) || os(Android)
        // The kernel's id of a thread's CPU clock, derived from the thread id. The main thread's id is the process id.
        let clock = clockid_t(truncatingIfNeeded: ~astrolabe_process_id() << 3 | 6)
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        #else
        return nil
        #endif
    }
}
