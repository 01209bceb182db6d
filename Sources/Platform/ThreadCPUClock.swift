#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The CPU time of one thread in user and system mode, readable from any thread while it lives.
package struct ThreadCPUClock: Sendable {
    /// Nanoseconds of CPU time of the calling thread; a system call.
    package static var ofCurrentThread: UInt64 { SystemTime.read(CLOCK_THREAD_CPUTIME_ID) }

    #if canImport(Darwin)
    private let port: thread_act_t

    /// Creates the clock of the calling thread.
    init?() {
        port = pthread_mach_thread_np(pthread_self())
    }

    /// Nanoseconds, with the kernel's resolution of a microsecond; `nil` if the thread has ended.
    var nanoseconds: UInt64? {
        var info = thread_basic_info()
        let words = MemoryLayout<thread_basic_info>.size / MemoryLayout<integer_t>.size
        var count = mach_msg_type_number_t(words)
        let result = withUnsafeMutablePointer(to: &info) { info in
            info.withMemoryRebound(to: integer_t.self, capacity: words) {
                thread_info(port, thread_flavor_t(THREAD_BASIC_INFO), $0, &count)
            }
        }
        guard result == KERN_SUCCESS else { return nil }
        let seconds = UInt64(clamping: info.user_time.seconds) + UInt64(clamping: info.system_time.seconds)
        let rest = UInt64(clamping: info.user_time.microseconds) + UInt64(clamping: info.system_time.microseconds)
        return seconds * 1_000_000_000 + rest * 1000
    }
    #else
    private let clock: clockid_t

    /// Creates the clock of the calling thread; `nil` if the system has no clock for it.
    init?() {
        var clock = clockid_t()
        guard pthread_getcpuclockid(pthread_self(), &clock) == 0 else { return nil }
        self.clock = clock
    }

    /// Nanoseconds; `nil` if the thread has ended.
    var nanoseconds: UInt64? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return UInt64(clamping: time.tv_sec) * 1_000_000_000 + UInt64(clamping: time.tv_nsec)
    }
    #endif
}

/// A mark on the calling thread while its time is being counted.
enum ThreadMark {
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    static var isSet: Bool {
        get { key.map { pthread_getspecific($0) != nil } ?? false }
        set {
            if let key { pthread_setspecific(key, newValue ? UnsafeRawPointer(bitPattern: 1) : nil) }
        }
    }
}
