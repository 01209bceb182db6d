/// Adds up the frames of one screen over a while, and says at its end how many were late.
struct JankTally: Hashable, Sendable {
    struct Screen: Hashable, Sendable {
        var name: String?
        var id: String?
    }

    /// The late frames of a period, by one threshold.
    struct Report: Hashable, Sendable {
        var screen: Screen
        /// Nanoseconds.
        var threshold: UInt64
        var late: Int
        var frames: Int
        var longest: UInt64
        var period: UInt64
    }

    private struct Period: Hashable {
        var screen: Screen
        var began: UInt64
        var frames = 0
        var longest: UInt64 = 0
        var late = [Int](repeating: 0, count: JankTally.thresholds.count)
    }

    /// Nanoseconds: slow, the time of a frame at 60 Hz, and frozen.
    static let thresholds: [UInt64] = [16_700_000, 700_000_000]
    /// Nanoseconds by which a frame may miss its time without being late: what is told of a display's times is rounded,
    /// and swings by some tenths of a millisecond.
    static let tolerance: UInt64 = 1_000_000
    /// Nanoseconds after which a period ends.
    static let periodLimit: UInt64 = 10_000_000_000

    private var period: Period?

    /// Whether the period that goes on has a late frame.
    var isLate: Bool { period?.late.contains { $0 > 0 } ?? false }

    /// Counts a frame, and reports the period before it where the frame is not of that.
    ///
    /// - Parameters:
    ///   - duration: Nanoseconds from the frame's beginning to its end.
    ///   - promised: Nanoseconds that it was to take; one that takes no longer, but for ``tolerance``, is not late.
    ///   - now: When it ended.
    mutating func add(duration: UInt64, promised: UInt64, on screen: Screen, at now: UInt64) -> [Report] {
        var reports: [Report] = []
        if let period, period.screen != screen || now - min(period.began, now) > Self.periodLimit {
            reports = close(at: now)
        }
        var period = period ?? Period(screen: screen, began: now - min(duration, now))
        period.frames += 1
        period.longest = max(period.longest, duration)
        for (index, threshold) in Self.thresholds.enumerated()
        where duration > threshold && duration > promised + Self.tolerance {
            period.late[index] += 1
        }
        self.period = period
        return reports
    }

    /// Ends the period.
    mutating func close(at now: UInt64) -> [Report] {
        guard let period else { return [] }
        self.period = nil
        return zip(Self.thresholds, period.late).filter { $0.1 > 0 }.map { threshold, late in
            Report(
                screen: period.screen, threshold: threshold, late: late, frames: period.frames,
                longest: period.longest, period: min(now - min(period.began, now), Self.periodLimit), )
        }
    }
}
