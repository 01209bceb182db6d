import DeviceLink

/// Adds up frames between two summaries.
struct FrameTally: Sendable {
    private var summary = FrameSummary()

    /// Milliseconds.
    private static let slow = 16.7
    private static let frozen = 700.0

    var isEmpty: Bool { summary.frames == 0 }

    mutating func add(_ duration: Duration, missed: Int) {
        let milliseconds = duration / .milliseconds(1)
        summary.frames += 1
        if milliseconds > Self.slow { summary.slow += 1 }
        if milliseconds > Self.frozen { summary.frozen += 1 }
        summary.missed += missed
        summary.longest = max(summary.longest, milliseconds)
    }

    /// What has come since the last time; nil where nothing has.
    mutating func take() -> FrameSummary? {
        defer { summary = FrameSummary() }
        return isEmpty ? nil : summary
    }
}
