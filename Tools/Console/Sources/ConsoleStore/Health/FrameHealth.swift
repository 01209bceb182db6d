/// The numbers of frames, slow frames and frozen frames.
package struct FrameCounts: Sendable, Hashable {
    package var frames = 0
    /// Frames longer than 16.7 ms.
    package var slow = 0
    /// Frames longer than 700 ms, which also count as slow.
    package var frozen = 0

    /// The share of slow frames; `nil` if there are no frames.
    package var slowRate: Double? { frames > 0 ? Double(slow) / Double(frames) : nil }

    static func += (left: inout FrameCounts, right: FrameCounts) {
        left.frames = left.frames.clampedSum(right.frames)
        left.slow = left.slow.clampedSum(right.slow)
        left.frozen = left.frozen.clampedSum(right.frozen)
    }
}

/// A screen with late frames.
package struct SlowScreen: Sendable, Hashable {
    package let screen: String
    /// The frames in the periods that had late frames.
    package let late: FrameCounts
    /// All frames of the screen; `nil` if the metric of frame durations is missing.
    package let all: FrameCounts?
    /// The duration of the longest frame in seconds.
    package let longest: Double
    /// The total length of the periods with late frames in seconds.
    package let period: Double
    package let sessions: Int
    package let lastUnixNano: UInt64
    /// The sessions with late frames, worst first.
    package let worstSessions: [String]
}

/// The health of one app version.
package struct Release: Sendable, Hashable {
    package let version: String
    package let sessions: Int
    package let crashedSessions: Int
    package let users: Int
    package let crashedUsers: Int
    package let crashes: Int
    package let hangs: Int
    /// The total duration of all hangs in seconds.
    package let hangTime: Double
    package let frames: FrameCounts
    package let firstUnixNano: UInt64
    package let lastUnixNano: UInt64
}
