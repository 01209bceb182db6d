/// A phone's day with its bad sessions.
struct PhoneDay: Sendable {
    struct BadSession: Sendable {
        let session: Int
        let fault: SamplingFault
        /// When it happened.
        let time: Double
        /// The times of the records that a trigger promotes.
        let window: ClosedRange<Double>
    }

    let plan: PhonePlan
    private(set) var badSessions: [BadSession] = []
    /// The moments that happen, in order of time.
    private(set) var moments: [PhonePlan.Moment] = []
    /// The periods after a crash, until the next launch.
    private var gaps: [(start: Double, end: Double)] = []
    private let limits: RecorderLimits

    init(_ plan: PhonePlan, badShare: Double, limits: RecorderLimits) {
        self.plan = plan
        self.limits = limits
        let added = addFaults(badShare).sorted { $0.time < $1.time }
        // A trigger follows its action, a launch comes before the flush that it leads to, and one with a report takes
        // the place of one without.
        var next = 0
        for moment in plan.moments where !isInGap(moment.time) {
            while next < added.count, added[next].time <= moment.time {
                moments.append(added[next])
                next += 1
            }
            if case .launch = moment.event, moments.last?.time == moment.time { continue }
            moments.append(moment)
        }
        moments += added[next...]
    }

    /// Returns the triggers, and the launches after a crash.
    private mutating func addFaults(_ badShare: Double) -> [PhonePlan.Moment] {
        var added: [PhonePlan.Moment] = []
        for (index, session) in plan.sessions.enumerated()
        where session.faultDraw < badShare && !session.actions.isEmpty {
            let offset = min(Int(session.position * Double(session.actions.count)), session.actions.count - 1)
            let action = plan.actions[session.actions.lowerBound + offset].time
            let number = badSessions.count
            if session.fault == .abandonedFlow {
                let (time, notice) = end(of: index)
                badSessions.append(
                    BadSession(session: index, fault: session.fault, time: time, window: session.start...time))
                if let notice { added.append(Self.report(number, at: notice)) }
                continue
            }
            let time = action + session.fault.delay
            let start = max(session.start, time - limits.before)
            badSessions.append(
                BadSession(
                    session: index, fault: session.fault, time: time,
                    window: min(start, action)...(time + limits.after)))
            guard session.fault.endsProcess else {
                added.append(PhonePlan.Moment(time: time, event: .trigger(number)))
                continue
            }
            let launch = launch(after: time, relaunch: session.relaunch)
            gaps.append((time, launch))
            if launch < .infinity { added.append(PhonePlan.Moment(time: launch, event: .launch(reporting: number))) }
        }
        return added
    }

    private func isInGap(_ time: Double) -> Bool {
        guard let gap = gaps.last(where: { $0.start < time }) else { return false }
        return time < gap.end
    }

    /// Returns when the app starts after its process has ended in a use: soon, or for the next use.
    private func launch(after time: Double, relaunch: Double?) -> Double {
        guard let use = plan.uses.lastIndex(where: { $0.start <= time }) else { return .infinity }
        if let relaunch, time + relaunch + 10 < plan.uses[use].end { return time + relaunch }
        return use + 1 < plan.uses.count ? plan.uses[use + 1].start : .infinity
    }

    /// Returns the end of a session, and when the app notices that it has ended: when it is next awake, starts, or
    /// begins another.
    private func end(of index: Int) -> (time: Double, notice: PhonePlan.Moment?) {
        let session = plan.sessions[index]
        let time = plan.actions[session.actions.upperBound - 1].time
        let next = index + 1 < plan.sessions.count ? plan.sessions[index + 1].start : .infinity
        let over = min(time + PhonePlanner.inactivity, next)
        let notice = plan.moments.first { moment in
            switch moment.event {
            case .flush, .launch: moment.time >= over
            case .action, .metrics, .trigger: false
            }
        }
        return (time, notice)
    }

    /// A start reports the session before it removes the ring of the run before.
    private static func report(_ number: Int, at notice: PhonePlan.Moment) -> PhonePlan.Moment {
        let isLaunch = if case .launch = notice.event { true } else { false }
        return PhonePlan.Moment(time: notice.time, event: isLaunch ? .launch(reporting: number) : .trigger(number))
    }
}
