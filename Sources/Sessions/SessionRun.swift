/// A reading of both clocks, in nanoseconds.
package struct SessionTime: Equatable, Sendable {
    /// Since 1970.
    package var wall: UInt64
    /// On a monotonic clock that includes sleep.
    package var steady: UInt64
    /// The boot that `steady` counts from; empty if the system does not report it.
    package var boot: String

    package init(wall: UInt64, steady: UInt64, boot: String) {
        self.wall = wall
        self.steady = steady
        self.boot = boot
    }

    /// `steady` as a number that other moments may be before.
    var moment: Int64 { Int64(clamping: steady).boundedMoment }

    /// The wall time of a moment on the monotonic clock, as the wall clock is set now.
    func wall(of moment: Int64) -> UInt64 {
        let (difference, overflow) = moment.subtractingReportingOverflow(self.moment)
        let time = Int64(clamping: wall).addingReportingOverflow(overflow ? 0 : difference)
        return time.overflow ? wall : UInt64(max(time.partialValue, 0))
    }
}

/// A session with the moments that decide whether it goes on, in nanoseconds on the monotonic clock.
struct SessionRun: Equatable, Sendable {
    var snapshot: SessionSnapshot
    var start: Int64
    var lastActivity: Int64
    /// When the app was last known to be in the foreground.
    var lastInFront: Int64
    var screens = 0

    init(_ snapshot: SessionSnapshot, at moment: Int64) {
        self.snapshot = snapshot
        start = moment
        lastActivity = moment
        lastInFront = moment
    }

    /// Returns true if a limit has passed.
    func isOver(at now: Int64, _ limits: SessionLimits) -> Bool {
        isInactive(at: now, limits) || now - start >= limits.maximumDuration.nanoseconds
    }

    func isInactive(at now: Int64, _ limits: SessionLimits) -> Bool {
        now - lastActivity >= limits.inactivity.nanoseconds
    }

    /// Why a session begins after this one, of which a limit has passed.
    func reasonOfNext(at now: Int64, _ limits: SessionLimits) -> SessionStartReason {
        isInactive(at: now, limits) ? .inactivity : .maximumLength
    }

    /// When it reaches the first of its limits without further activity.
    func deadline(_ limits: SessionLimits) -> Int64 {
        min(lastActivity + limits.inactivity.nanoseconds, start + limits.maximumDuration.nanoseconds)
    }

    /// When a session that is over ended: when it reached the first of its limits.
    ///
    /// A session that was still in the foreground without activity ended when it left the foreground, so that its
    /// records are not later than its end.
    func end(_ limits: SessionLimits) -> Int64 {
        let byInactivity = max(lastActivity + limits.inactivity.nanoseconds, lastInFront)
        return min(byInactivity, start + limits.maximumDuration.nanoseconds)
    }

    func summary(endingAt end: Int64) -> SessionTotals {
        SessionTotals(duration: Double(max(end - start, 0)) / 1e9, screens: screens)
    }
}

/// A session as it is stored, with a reading of the clocks at that time.
///
/// After a restart of the device, the monotonic clock starts from 0. The wall clock then says how much time has passed
/// since the session was stored.
package struct SavedSession: Equatable, Sendable {
    var id: String
    var previousID: String?
    var startTimeUnixNano: UInt64
    var start: Int64
    var lastActivity: Int64
    var lastInFront: Int64
    var screens: Int
    /// True if its end was announced.
    var hasEnded: Bool
    var wall: UInt64
    var steady: UInt64
    var boot: String

    /// The session with its moments on the current boot's clock.
    func run(at now: SessionTime) -> SessionRun {
        let isSameBoot = !boot.isEmpty && boot == now.boot && now.steady >= steady
        // What `steady` of the time of storing is on the current clock.
        let stored =
            isSameBoot ? Int64(clamping: steady) : now.moment &- Int64(clamping: now.wall) &+ Int64(clamping: wall)
        func moved(_ moment: Int64) -> Int64 { (stored &+ moment &- Int64(clamping: steady)).boundedMoment }
        var run = SessionRun(
            SessionSnapshot(id: id, previousID: previousID, startTimeUnixNano: startTimeUnixNano), at: moved(start))
        run.lastActivity = moved(lastActivity)
        run.lastInFront = moved(lastInFront)
        run.screens = screens
        return run
    }
}

extension SavedSession {
    init(_ run: SessionRun, hasEnded: Bool = false, at time: SessionTime) {
        self.init(
            id: run.snapshot.id, previousID: run.snapshot.previousID, startTimeUnixNano: run.snapshot.startTimeUnixNano,
            start: run.start, lastActivity: run.lastActivity, lastInFront: run.lastInFront, screens: run.screens,
            hasEnded: hasEnded, wall: time.wall, steady: time.steady, boot: time.boot)
    }
}

extension Int64 {
    /// Within 73 years of 0, so that sums cannot overflow, whatever a damaged file says.
    fileprivate var boundedMoment: Int64 { Swift.min(Swift.max(self, -1 << 61), 1 << 61) }
}

extension Duration {
    /// At most a century, so that sums cannot overflow.
    fileprivate var nanoseconds: Int64 {
        let century: Duration = .seconds(3_155_760_000)
        let (seconds, attoseconds) = min(max(self, .zero), century).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
