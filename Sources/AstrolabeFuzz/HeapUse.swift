#if canImport(Glibc)
import CMalloc
import Glibc

/// What the process has allocated.
enum HeapUse {
    /// Bytes in use on the heap, over all threads.
    static var bytes: Int? {
        let info = mallinfo2()
        return Int(info.uordblks + info.hblkhd)
    }

    /// The most memory that the process ever had resident, in bytes.
    static var peakResident: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1024
    }
}
#else
import Darwin

/// What the process has allocated.
enum HeapUse {
    /// Bytes in use on the heap, over all threads.
    static var bytes: Int? {
        var statistics = malloc_statistics_t()
        malloc_zone_statistics(nil, &statistics)
        return statistics.size_in_use
    }

    /// The most memory that the process ever had resident, in bytes.
    static var peakResident: Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
    }
}
#endif
