import Foundation

/// How often a thread of this process has stopped to wait.
enum WakeUps {
    /// Waits, and returns how often the threads with this name woke up meanwhile. Linux only; elsewhere 0.
    static func count(ofThread name: String, for seconds: UInt32) -> Int {
        let before = count(name)
        sleep(seconds)
        return count(name) - before
    }

    private static func count(_ name: String) -> Int {
        let folder = "/proc/self/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.reduce(0) { sum, thread in
            let status = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
            let lines = status.split(separator: "\n")
            guard lines.first == "Name:\t\(name)" else { return sum }
            let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }
}
