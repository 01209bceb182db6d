import DeviceLink

/// Sums up frames between two summaries.
struct FrameTally: Sendable {
    private var summary = FrameSummary()

    /// The duration of the longest frame, in milliseconds.
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

    /// Returns the frames since the last call; `nil` if there were none.
    mutating func take() -> FrameSummary? {
        defer { summary = FrameSummary() }
        return isEmpty ? nil : summary
    }
}
