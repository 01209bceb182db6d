#if canImport(Glibc)
import CMalloc
import Foundation

/// The memory that the process has allocated.
enum HeapUse {
    /// Bytes in use on the heap, over all threads.
    static var bytes: Int? {
        let info = mallinfo2()
        return Int(info.uordblks + info.hblkhd)
    }

    /// The most memory that was resident since ``resetPeak()``, in bytes.
    static var peakResident: Int { status("VmHWM:") }

    /// Returns free memory to the system, forgets the peak, and tells what is resident now, in bytes.
    static func resetPeak() -> Int {
        malloc_trim(0)
        // "5" resets the peak of the resident set (Linux, Documentation/filesystems/proc.rst).
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        return status("VmRSS:")
    }

    private static func status(_ name: String) -> Int {
        let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
        let words = lines.first { $0.hasPrefix(name) }?.split(whereSeparator: \.isWhitespace) ?? []
        return words.count > 1 ? (Int(words[1]) ?? 0) << 10 : 0
    }
}
#else
import Darwin

/// The memory that the process has allocated.
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

    /// This system does not forget the peak; what comes after is measured only where it exceeds what was before.
    static func resetPeak() -> Int { peakResident }
}
#endif
