import Foundation

/// Counts of the times that threads of this process have stopped to wait.
enum WakeUps {
    /// Returns the number of times that a thread with this name woke up in a time.
    static func count(ofThread name: String, for seconds: UInt32) -> Int {
        let before = switches(named: name).values.reduce(0, +)
        sleep(seconds)
        return switches(named: name).values.reduce(0, +) - before
    }

    /// Returns when a thread with this name has not woken up for a second. After a minute it returns in any case, so
    /// that the test tells how often the thread wakes.
    static func waitUntilQuiet(ofThread name: String) {
        for _ in 0..<60 {
            let exists = !switches(named: name).isEmpty
            if count(ofThread: name, for: 1) == 0, exists { return }
        }
    }

    /// Returns the number of times that the process woke up in a time, by any of its threads but this one and those of
    /// libdispatch itself. Threads that wake within a tenth of a second of one another count once, because they use one
    /// wake-up of the processor.
    ///
    /// On Linux libdispatch's manager wakes once a second in every process that uses it (`_dispatch_workq_init_once`).
    /// A thread of its pool ends when it had nothing to do for five seconds. Apple's systems do both in the kernel. A
    /// timer of the SDK also wakes the thread that runs it, so it is counted.
    static func countOfProcess(for seconds: Int) -> Int {
        let manager = threads().first { isWaitingForEvents($0) }
        var (count, before) = (0, switches(except: manager))
        for _ in 0..<10 * seconds {
            usleep(100_000)
            let now = switches(except: manager)
            if now.contains(where: { $0.value != before[$0.key] }) { count += 1 }
            before = now
        }
        return count
    }

    private static let folder = "/proc/self/task"

    private static func threads() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static func isWaitingForEvents(_ thread: String) -> Bool {
        (try? String(contentsOfFile: "\(folder)/\(thread)/wchan", encoding: .utf8))?.contains("epoll") ?? false
    }

    /// The number of waits of each thread so far, by the thread's number. Linux only; elsewhere empty.
    private static func switches(except manager: String? = nil, named name: String? = nil) -> [String: Int] {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"))?.split(
            separator: "/"
        )
        .last
        var counts: [String: Int] = [:]
        for thread in threads() where thread != manager && own.map({ $0 != thread }) ?? true {
            let status = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
            let lines = status.split(separator: "\n")
            guard name.map({ lines.first == "Name:\t\($0)" }) ?? true else { continue }
            let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches") }
            counts[thread] = line?.split(separator: "\t").last.flatMap { Int($0) }
        }
        return counts
    }
}
