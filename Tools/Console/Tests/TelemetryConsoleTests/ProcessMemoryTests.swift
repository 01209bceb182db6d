import Dispatch
import Foundation
import Testing

@testable import TelemetryConsole

@Suite(.timeLimit(.minutes(2)))
struct ProcessMemoryTests {
    #if os(Linux)
    @Test
    func `memory that many threads have freed goes back to the system`() async {
        await #expect(processExitsWith: .success) {
            ProcessMemory.limit()
            ManyThreads.allocateAndFree { #expect(ManyThreads.resident > 200 << 20) }
            ProcessMemory.release()
            #expect(ProcessMemory.inUse > 60 << 20)
            #expect(ManyThreads.resident < 2 * ProcessMemory.inUse)
        }
    }
    #endif

    @Test
    func `memory is returned after records were removed or when none arrive, at most once a minute`() {
        let start = ContinuousClock.now
        var release = MemoryRelease(at: start)
        func isDue(_ seconds: Int, removed: Int, sequence: Int64) -> Bool {
            release.isDue(removed: removed, sequence: sequence, at: start + .seconds(seconds))
        }
        #expect(!isDue(30, removed: 9, sequence: 10))
        #expect(isDue(60, removed: 9, sequence: 20))
        #expect(!isDue(90, removed: 9, sequence: 20))
        #expect(!isDue(150, removed: 0, sequence: 30))
        #expect(isDue(180, removed: 0, sequence: 30))
        #expect(!isDue(779, removed: 0, sequence: 40))
        #expect(isDue(780, removed: 0, sequence: 50))
    }
}

#if os(Linux)
/// The work of threads that leaves holes in the heap.
private enum ManyThreads {
    private static let threads = 16
    private static let blocks = 1_000
    private static let blockBytes = 16_384

    /// Memory of the process that is no file's, in bytes.
    static var resident: Int {
        let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = (text ?? "").split(separator: " ").compactMap { Int($0) }
        return pages.count > 2 ? (pages[1] - pages[2]) * Int(getpagesize()) : 0
    }

    /// Allocates 16 MB in each thread, and frees three of four blocks when all have theirs.
    ///
    /// - Parameter whenFull: Called before anything is freed.
    static func allocateAndFree(whenFull: () -> Void) {
        let allocated = DispatchSemaphore(value: 0)
        let go = DispatchSemaphore(value: 0)
        let freed = DispatchSemaphore(value: 0)
        for _ in 0..<threads {
            Thread.detachNewThread {
                let mine = (0..<Self.blocks).compactMap { _ in malloc(Self.blockBytes) }
                for block in mine { memset(block, 1, Self.blockBytes) }
                allocated.signal()
                go.wait()
                for (index, block) in mine.enumerated() where index % 4 != 0 { free(block) }
                freed.signal()
            }
        }
        for _ in 0..<threads { allocated.wait() }
        whenFull()
        for _ in 0..<threads { go.signal() }
        for _ in 0..<threads { freed.wait() }
    }
}
#endif
