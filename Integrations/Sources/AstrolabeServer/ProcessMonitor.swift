import AstrolabeAppHealth
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import Foundation

/// Metrics of the process and of its container, as the kernel gives them. They are read when metrics are collected.
enum ProcessMonitor {
    static func observe(_ meter: Meter) {
        ProcessMetrics.observe(meter)
        #if !canImport(Darwin)
        observe(
            meter, MetricName.processThreadCount, unit: "{thread}", "Threads of the process.",
        ) { threads(inStatus: KernelFile.text(of: "/proc/self/status")) }
        observe(
            meter, MetricName.processFileDescriptorCount, unit: "{file_descriptor}", "Open files of the process.",
        ) {
            // One of them is the folder itself.
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { max($0.count - 1, 0) }
        }
        observe(meter, MetricName.containerMemoryUsage, unit: "By", "Memory of the container.") {
            number(in: "memory.current")
        }
        observe(
            meter, MetricName.containerMemoryAvailable, unit: "By", "Memory up to the limit of the container.",
        ) {
            guard let limit = number(in: "memory.max"), let used = number(in: "memory.current") else { return nil }
            return max(limit - used, 0)
        }
        #endif
    }

    /// The number of threads in the text of `/proc/self/status`.
    static func threads(inStatus text: String) -> Int? {
        text.split(separator: "\n").first { $0.hasPrefix("Threads:") }?.split(separator: "\t").last.flatMap { Int($0) }
    }

    #if !canImport(Darwin)
    private static func observe(
        _ meter: Meter, _ name: String, unit: String, _ description: String,
        _ value: @escaping @Sendable () -> Int?,
    ) {
        meter.observableUpDownCounter(name, unit: unit, description: description) { observer in
            if let value = value() { observer.observe(value) }
        }
    }

    /// A number of the control group at the root, which is a container's own. There is none outside of a container,
    /// and `memory.max` is the word "max" without a limit.
    private static func number(in file: String) -> Int? { Int(KernelFile.firstLine(of: "/sys/fs/cgroup/" + file)) }
    #endif
}
