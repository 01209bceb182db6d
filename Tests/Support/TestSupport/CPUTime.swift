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

/// The seconds of both if `large` takes `limit` times as long as `small` or more; `nil` if it takes less.
///
/// CPU time depends on the load, too: other programs take the caches away, and a virtual machine counts the time in
/// which its host did not run it. So both are measured up to 20 times, until the least times of each show the
/// proportion. Those of work that grows with the square never do.
package func excess(
    of large: () throws -> Double, over small: () throws -> Double, limit: Double,
) rethrows -> String? {
    var (most, least) = (Double.infinity, Double.infinity)
    for _ in 0..<20 {
        // The first time of all is longer, because nothing is in the caches yet.
        for _ in 0..<3 { least = try min(least, small()) }
        most = try min(most, large())
        if most < least * limit { return nil }
    }
    return "\(most) s, against \(least) s"
}

private func threadCPUTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
