import Foundation

/// The resources of a process as the kernel sees them, on Linux. On other systems all are 0.
struct ProcessReading {
    /// In MiB, with the pages of mapped files.
    var resident = 0
    /// In MiB: memory of its own, without mapped files.
    var anonymous = 0
    var threads = 0
    var descriptors = 0
    /// The processor time since its start.
    var processorSeconds = 0.0

    /// `USER_HZ`, which is the same on all of Linux's architectures that Swift has.
    private static let ticks = 100.0

    init(of process: Int32) {
        let folder = "/proc/\(process)"
        let status = (try? String(contentsOfFile: folder + "/status", encoding: .utf8)) ?? ""
        for line in status.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count > 1, let value = Int(words[1]) else { continue }
            switch words[0] {
            case "VmRSS:": resident = value / 1_024
            case "RssAnon:": anonymous = value / 1_024
            case "Threads:": threads = value
            default: continue
            }
        }
        descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count) ?? 0
        // The name of the program stands in parentheses before the numbers, and may have spaces.
        let stat = (try? String(contentsOfFile: folder + "/stat", encoding: .utf8)) ?? ""
        let numbers = stat.split(separator: ")").last?.split(separator: " ") ?? []
        if numbers.count > 12, let user = Double(numbers[11]), let system = Double(numbers[12]) {
            processorSeconds = (user + system) / Self.ticks
        }
    }
}

extension rusage {
    /// The processor time, including the system's work.
    var processorSeconds: Double {
        [ru_utime, ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
