/// What is recorded of the app's own health: crashes, hangs, late frames, starts and endings.
///
///     configuration.health.hangThresholds.hang = 0.5
///     configuration.health.capturesCrashes = false        // another crash reporter has the floor
public struct HealthConfiguration: Hashable, Sendable {
    /// False leaves all of it out. Default true; a server, which has no sessions, has none of it whatever this says.
    public var isEnabled = true
    /// Whether the signals of crashes are handled; handlers that were there before are called after. Never under a
    /// debugger. Default true.
    public var capturesCrashes = true
    /// Whether the main thread is watched. Default true.
    public var watchesHangs = true
    public var hangThresholds = HangThresholds()
    /// Whether frames that are told to ``FrameMonitor`` are judged and measured. Default true.
    public var measuresFrames = true
    /// Whether starts are recorded as spans. Default true.
    public var measuresStart = true

    public init() {}
}

extension HealthConfiguration {
    /// What can be recorded or left out, as a configuration file names it.
    package struct Parts: OptionSet, Sendable {
        package let rawValue: Int

        package static let crashes = Parts(rawValue: 1)
        package static let hangs = Parts(rawValue: 2)
        package static let frames = Parts(rawValue: 4)
        package static let starts = Parts(rawValue: 8)

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// - Parameter names: `all`, `off`, or names with commas between them; else it is nil.
        package init?(names: String) {
            let known: [String: Parts] = [
                "all": [.crashes, .hangs, .frames, .starts], "off": [], "crashes": .crashes, "hangs": .hangs,
                "frames": .frames, "starts": .starts,
            ]
            var parts: Parts = []
            for name in names.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
                guard let part = known[name.filter { $0 != " " }] else { return nil }
                parts.formUnion(part)
            }
            self = parts
        }
    }

    /// Records these parts and leaves out the others; the thresholds stay.
    package mutating func keep(_ parts: Parts) {
        isEnabled = !parts.isEmpty
        capturesCrashes = parts.contains(.crashes)
        watchesHangs = parts.contains(.hangs)
        measuresFrames = parts.contains(.frames)
        measuresStart = parts.contains(.starts)
    }
}
