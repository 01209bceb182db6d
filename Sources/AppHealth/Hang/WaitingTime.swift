import AstrolabePlatform

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The time that a runnable thread has waited for a CPU, which distinguishes a busy device from a stopped process.
final class WaitingTime: Sendable {
    /// The kernel's statistics of the thread, kept open; negative if not available.
    private let file: Int32

    /// Reads the waiting time of the calling thread.
    init() {
        #if os(Linux) || os(Android)
        file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
        #else
        file = -1
        #endif
    }

    deinit {
        if file >= 0 { close(file) }
    }

    /// Nanoseconds so far; 0 if the system does not report them.
    var nanoseconds: UInt64 {
        guard file >= 0 else { return 0 }
        let text = String(unsafeUninitializedCapacity: 64) { max(pread(file, $0.baseAddress, $0.count, 0), 0) }
        // Nanoseconds run, nanoseconds waited, number of time slices.
        return text.words.dropFirst().first.flatMap { UInt64($0) } ?? 0
    }
}
