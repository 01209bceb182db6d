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

/// For how long the main thread has had a processor: by this a hang that computes is told from one that waits.
enum MainThreadTime {
    /// Nanoseconds since the process began; nil where the system does not tell, as on Apple's.
    static var nanoseconds: UInt64? {
        #if os(Linux) || os(Android)
        // The kernel's form of the processor clock of a thread of this process, by its number; the main thread has the
        // process's.
        let clock = clockid_t(truncatingIfNeeded: ~astrolabe_process_id() << 3 | 6)
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        #else
        return nil
        #endif
    }
}
