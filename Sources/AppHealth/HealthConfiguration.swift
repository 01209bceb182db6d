/// Settings of health telemetry: crashes, hangs, late frames, starts, run ends and what the process uses.
///
///     configuration.health.hangThresholds.hang = .milliseconds(500)
///     configuration.health.capturesCrashes = false        // if another crash reporter is installed
public struct HealthConfiguration: Equatable, Sendable {
    /// Enables health telemetry. Default true; servers, which have no sessions, never record it.
    public var isEnabled = true
    /// Handles crash signals. Previously installed handlers are called afterwards. Never under a debugger. Default
    /// true.
    public var capturesCrashes = true
    /// The longest time that a start waits until an earlier crash is sent, if that happened within 10 s after a start.
    /// Default 2 s. Zero does not wait: an app that crashes at each launch may then never send a report.
    public var launchCrashTimeout: Duration = .seconds(2)
    /// Detects hangs of the main thread. Default true.
    public var watchesHangs = true
    /// From how long on a hang is recorded.
    public var hangThresholds = HangThresholds()
    /// Hangs that are recorded in one session. Of an app that hangs all the time, the first are enough.
    package var hangsPerSession = 20
    /// Measures frames that are recorded with `FrameMonitor`. Default true.
    public var measuresFrames = true
    /// Records app starts as spans. Default true.
    public var measuresStart = true
    /// Records the CPU time and the memory of the process as metrics. Default false, because an idle app then sends a
    /// request with each collection.
    public var measuresProcess = false

    /// Creates the default configuration: all but what the process uses is recorded.
    public init() {}
}

extension HealthConfiguration {
    /// The parts that a configuration file can enable.
    package struct Parts: OptionSet, Sendable {
        package let rawValue: Int

        package static let crashes = Parts(rawValue: 1)
        package static let hangs = Parts(rawValue: 2)
        package static let frames = Parts(rawValue: 4)
        package static let starts = Parts(rawValue: 8)
        package static let process = Parts(rawValue: 16)

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Parses `all`, `off`, or part names separated by commas; `nil` for anything else.
        package init?(names: String) {
            let known: [String: Parts] = [
                "all": [.crashes, .hangs, .frames, .starts, .process], "off": [], "crashes": .crashes,
                "hangs": .hangs, "frames": .frames, "starts": .starts, "process": .process,
            ]
            var parts: Parts = []
            for name in names.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
                guard let part = known[name.filter { $0 != " " }] else { return nil }
                parts.formUnion(part)
            }
            self = parts
        }
    }

    /// Records these parts and no others; the thresholds do not change.
    package mutating func keep(_ parts: Parts) {
        isEnabled = !parts.isEmpty
        capturesCrashes = parts.contains(.crashes)
        watchesHangs = parts.contains(.hangs)
        measuresFrames = parts.contains(.frames)
        measuresStart = parts.contains(.starts)
        measuresProcess = parts.contains(.process)
    }
}
