#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Returns the seconds of CPU time that the work takes on this thread. Other programs change them little: they take the
/// caches away, and a virtual machine counts the time in which its host did not run it.
package func cpuSeconds(_ work: () throws -> Void) rethrows -> Double {
    let start = threadCPUTime()
    try work()
    return threadCPUTime() - start
}

private func threadCPUTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
