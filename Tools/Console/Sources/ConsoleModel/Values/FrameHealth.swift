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

    package static func += (left: inout FrameCounts, right: FrameCounts) {
        left.frames = left.frames.clampedSum(right.frames)
        left.slow = left.slow.clampedSum(right.slow)
        left.frozen = left.frozen.clampedSum(right.frozen)
    }
}

/// A screen of an app with late frames.
package struct SlowScreen: Sendable, Hashable {
    package let app: AppPlatform
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
        app: AppPlatform, screen: String, late: FrameCounts, all: FrameCounts?, longest: Double, period: Double,
        sessions: Int, lastUnixNano: UInt64, worstSessions: [String],
    ) {
        self.app = app
        self.screen = screen
        self.late = late
        self.all = all
        self.longest = longest
        self.period = period
        self.sessions = sessions
        self.lastUnixNano = lastUnixNano
        self.worstSessions = worstSessions
    }

    /// The frames by which the screen is judged: all, or those in the periods with late frames if only they are known.
    package var frames: FrameCounts { all ?? late }

    /// Returns screens, most slow frames first.
    package static func worst(of screens: [SlowScreen]) -> [SlowScreen] {
        screens.sorted { one, other in
            let (left, right) = (one.frames, other.frames)
            if left.slow != right.slow { return left.slow > right.slow }
            if left.frozen != right.frozen { return left.frozen > right.frozen }
            return one.screen != other.screen ? one.screen < other.screen : one.app < other.app
        }
    }
}

/// The health of one version of an app on one platform.
package struct Release: Sendable, Hashable {
    package let app: AppPlatform
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

    /// The largest number of releases of one app on one platform that a store returns.
    private static let limit = 50
    /// The largest number of releases that a store returns.
    private static let totalLimit = 500

    package init(
        app: AppPlatform, version: String, sessions: Int, crashedSessions: Int, users: Int, crashedUsers: Int,
        crashes: Int, hangs: Int, hangTime: Double, frames: FrameCounts, firstUnixNano: UInt64, lastUnixNano: UInt64,
    ) {
        self.app = app
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

    /// Returns the newest 50 releases of each app on each platform, at most 500.
    ///
    /// The app with the most sessions comes first. See ``highest(of:)`` for the order of its releases.
    package static func newest(of releases: [Release]) -> [Release] {
        func sessions(_ releases: [Release]) -> Int { releases.reduce(0) { $0.clampedSum($1.sessions) } }
        let apps = Dictionary(grouping: releases, by: \.app).sorted { one, other in
            let (left, right) = (sessions(one.value), sessions(other.value))
            return left != right ? left > right : one.key < other.key
        }
        return Array(apps.flatMap { highest(of: $0.value) }.prefix(totalLimit))
    }

    /// Returns the first 50 releases of one app, highest version first. See ``ReleaseVersion`` for the order.
    ///
    /// Of equal versions, the one that was first seen later is first.
    private static func highest(of releases: [Release]) -> [Release] {
        let ordered = releases.map { (release: $0, version: ReleaseVersion($0.version)) }.sorted { one, other in
            guard one.version == other.version else { return one.version > other.version }
            return (one.release.firstUnixNano, one.release.version)
                > (other.release.firstUnixNano, other.release.version)
        }
        return ordered.prefix(limit).map(\.release)
    }
}
