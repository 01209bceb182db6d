/// Counts the frames of one screen over a period, and reports late frames at its end.
struct JankCounter: Equatable, Sendable {
    struct Screen: Equatable, Sendable {
        var name: String?
        var id: String?
    }

    /// The late frames of a period, for one threshold.
    struct Report: Equatable, Sendable {
        var screen: Screen
        /// Nanoseconds.
        var threshold: UInt64
        var late: Int
        var frames: Int
        var longest: UInt64
        var period: UInt64
    }

    private struct Period: Equatable {
        var screen: Screen
        var began: UInt64
        var frames = 0
        var longest: UInt64 = 0
        var late = [Int](repeating: 0, count: JankCounter.thresholds.count)
    }

    /// Nanoseconds: a slow frame, one frame time at 60 Hz, and a frozen frame.
    static let thresholds: [UInt64] = [16_700_000, 700_000_000]
    /// Nanoseconds by which a frame may miss its deadline without being late: display times are rounded and vary by
    /// some tenths of a millisecond.
    static let tolerance: UInt64 = 1_000_000
    /// Maximum nanoseconds of a period.
    static let periodLimit: UInt64 = 10_000_000_000

    private var period: Period?

    /// True if the current period has a late frame.
    var isLate: Bool { period?.late.contains { $0 > 0 } ?? false }

    /// Counts a frame; reports the previous period if the frame starts a new one.
    ///
    /// - Parameters:
    ///   - duration: Nanoseconds from the frame's start to its end.
    ///   - promised: Nanoseconds that the frame may take. It is late if it takes longer than this plus ``tolerance``.
    ///   - screen: The screen that shows the frame.
    ///   - now: When the frame ended.
    /// - Returns: The reports of the previous period; empty if it continues.
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

    /// Ends the period and returns its reports.
    mutating func close(at now: UInt64) -> [Report] {
        guard let period else { return [] }
        self.period = nil
        return zip(Self.thresholds, period.late).filter { $0.1 > 0 }.map { threshold, late in
            Report(
                screen: period.screen, threshold: threshold, late: late, frames: period.frames,
                longest: period.longest, period: min(now - min(period.began, now), Self.periodLimit))
        }
    }
}
