import CHeap

/// The memory of the process. It acts on Linux with glibc, whose heap keeps what many threads have freed.
package enum ProcessMemory {
    /// Limits the memory that the heap keeps after it was freed. Call it before the process has many threads.
    package static func limit() { console_heap_limit() }

    /// Returns freed memory to the system. Allocations wait meanwhile.
    static func release() { console_heap_release() }

    /// The number of bytes that are allocated; 0 without glibc.
    static var inUse: Int { Int(console_heap_in_use()) }
}

/// Decides when freed memory is returned to the system.
///
/// That is at most once a minute, when records were removed or none arrived. However busy the console is, it is once in
/// ten minutes.
struct MemoryRelease {
    private static let pause = Duration.seconds(60)
    private static let longestPause = Duration.seconds(600)

    private var last: ContinuousClock.Instant
    private var sequence: Int64?

    init(at start: ContinuousClock.Instant) { last = start }

    /// Returns whether memory is to be returned now, after a pass of retention.
    ///
    /// - Parameters:
    ///   - removed: The number of records that the pass removed.
    ///   - sequence: The last record that has arrived.
    mutating func isDue(removed: Int, sequence: Int64, at now: ContinuousClock.Instant) -> Bool {
        let isIdle = sequence == self.sequence
        self.sequence = sequence
        guard now - last >= (removed > 0 || isIdle ? Self.pause : Self.longestPause) else { return false }
        last = now
        return true
    }
}
