/// The numbers of frames, slow frames and frozen frames.
package struct FrameCounts: Sendable, Hashable {
    /// The longest frame in seconds that is not slow.
    package static let slowBound = 0.0167
    /// The longest frame in seconds that is not frozen.
    package static let frozenBound = 0.7

    package var frames = 0
    /// Frames longer than 16.7 ms.
    package var slow = 0
    /// Frames longer than 700 ms, which also count as slow.
    package var frozen = 0

    package init(frames: Int = 0, slow: Int = 0, frozen: Int = 0) {
        self.frames = frames
        self.slow = slow
        self.frozen = frozen
    }

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

    package init(
        screen: String, late: FrameCounts, all: FrameCounts?, longest: Double, period: Double, sessions: Int,
        lastUnixNano: UInt64, worstSessions: [String],
    ) {
        self.screen = screen
        self.late = late
        self.all = all
        self.longest = longest
        self.period = period
        self.sessions = sessions
        self.lastUnixNano = lastUnixNano
        self.worstSessions = worstSessions
    }
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

    /// The largest number of releases that a store returns.
    private static let limit = 50

    package init(
        version: String, sessions: Int, crashedSessions: Int, users: Int, crashedUsers: Int, crashes: Int, hangs: Int,
        hangTime: Double, frames: FrameCounts, firstUnixNano: UInt64, lastUnixNano: UInt64,
    ) {
        self.version = version
        self.sessions = sessions
        self.crashedSessions = crashedSessions
        self.users = users
        self.crashedUsers = crashedUsers
        self.crashes = crashes
        self.hangs = hangs
        self.hangTime = hangTime
        self.frames = frames
        self.firstUnixNano = firstUnixNano
        self.lastUnixNano = lastUnixNano
    }

    /// Returns the first 50 of releases, highest version first. See ``ReleaseVersion`` for the order.
    ///
    /// Of equal versions, the one that was first seen later is first.
    package static func newest(of releases: [Release]) -> [Release] {
        let ordered = releases.map { (release: $0, version: ReleaseVersion($0.version)) }.sorted { one, other in
            guard one.version == other.version else { return one.version > other.version }
            return (one.release.firstUnixNano, one.release.version)
                > (other.release.firstUnixNano, other.release.version)
        }
        return ordered.prefix(limit).map(\.release)
    }
}
