/// Frames, how many of them were late, and by how much.
package struct FrameCounts: Sendable, Hashable {
    package var frames = 0
    /// Over 16.7 ms.
    package var slow = 0
    /// Over 700 ms; these count as slow, too.
    package var frozen = 0

    /// `nil` where no frames are known.
    package var slowRate: Double? { frames > 0 ? Double(slow) / Double(frames) : nil }

    static func += (left: inout FrameCounts, right: FrameCounts) {
        left.frames += right.frames
        left.slow += right.slow
        left.frozen += right.frozen
    }
}

/// A screen on which frames were late.
package struct SlowScreen: Sendable, Hashable {
    package let screen: String
    /// Of the periods that had late frames.
    package let late: FrameCounts
    /// Of all the time that the screen was seen, where the metric of frame durations is there; else `nil`.
    package let all: FrameCounts?
    /// Seconds of the longest frame.
    package let longest: Double
    /// Seconds of the periods that had late frames.
    package let period: Double
    package let sessions: Int
    package let lastUnixNano: UInt64
    /// Late frames come with these sessions, the worst first.
    package let worstSessions: [String]
}

/// How well one version of the app does.
package struct Release: Sendable, Hashable {
    package let version: String
    package let sessions: Int
    package let crashedSessions: Int
    package let users: Int
    package let crashedUsers: Int
    package let crashes: Int
    package let hangs: Int
    /// Seconds that the app did not answer, in all hangs.
    package let hangTime: Double
    package let frames: FrameCounts
    package let firstUnixNano: UInt64
    package let lastUnixNano: UInt64
}
