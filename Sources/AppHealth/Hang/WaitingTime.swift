#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// For how long a thread has waited for a processor while it could have been run: by this a busy device is told from a
/// process that was stopped.
struct WaitingTime {
    /// The kernel's account of the thread, open for good; negative where there is none.
    private let file: Int32

    /// Of the thread that asks.
    init() {
        #if os(Linux) || os(Android)
        file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
        #else
        file = -1
        #endif
    }

    /// Nanoseconds so far; 0 where the system does not tell.
    var nanoseconds: UInt64 {
        guard file >= 0 else { return 0 }
        let text = String(unsafeUninitializedCapacity: 64) { max(pread(file, $0.baseAddress, $0.count, 0), 0) }
        // Nanoseconds run, nanoseconds waited, times run.
        return text.split(separator: " ").dropFirst().first.flatMap { UInt64($0) } ?? 0
    }
}
