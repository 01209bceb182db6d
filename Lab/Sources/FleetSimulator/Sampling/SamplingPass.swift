/// A phone's day under one scheme: what is recorded, where it goes, and what arrives.
///
///     action --> spans of a chosen session, events that the mode collects --> outbox --> collector
///           \--> the others --> ring --> outbox, in the window of a trigger
struct SamplingPass {
    private let day: PhoneDay
    private let scheme: SamplingScheme
    private let costs: RecordCosts
    private let limits: RecorderLimits
    private var ring: RingModel
    private var outbox: SamplingOutbox
    private var spans: [RecordFate]
    private var events: [RecordFate]
    /// The places in the ring of what it has of each action.
    private var places: [RingModel.Place]
    private var requests: [Request] = []
    /// The action that comes next.
    private var next = 0
    /// The session that goes on after a start; the rings of previous runs are kept for it.
    private var continued: Int?
    /// The triggers of this run in an hour.
    private var hour = 0
    private var triggers: [SamplingFault: Int] = [:]
    private var tally = SamplingTally()

    private struct Request {
        let session: Int
        let window: ClosedRange<Double>
        /// The run in whose ring it is.
        let run: Int
    }

    init(_ day: PhoneDay, scheme: SamplingScheme, costs: RecordCosts, limits: RecorderLimits) {
        self.day = day
        self.scheme = scheme
        self.costs = costs
        self.limits = limits
        ring = RingModel(limits)
        outbox = SamplingOutbox(costs, limits)
        let count = day.plan.actions.count
        spans = Array(repeating: .unmade, count: count)
        events = Array(repeating: .unmade, count: count)
        places = Array(repeating: RingModel.Place(), count: count)
    }

    /// Runs the day and returns its counts.
    mutating func run() -> SamplingTally {
        for moment in day.moments { perform(moment.event, at: moment.time) }
        tally.stored = outbox.written
        tally.ringWritten = ring.written
        for bad in day.badSessions { judge(bad) }
        return tally
    }

    private mutating func perform(_ event: PhonePlan.Event, at time: Double) {
        switch event {
        case .action(let index): act(index)
        case .metrics(let count): outbox.append(SamplingOutbox.Entry(action: -1, part: .metric, count: count))
        case .flush(let outcome): flush(outcome, at: time)
        case .launch(let report): launch(reporting: report, at: time)
        case .trigger(let number):
            request(number, at: time)
            promote(at: time)
        }
    }

    private mutating func act(_ index: Int) {
        let action = day.plan.actions[index]
        next = index + 1
        let isChosen = day.plan.sessions[action.session].randomness < scheme.share(action.rate)
        spans[index] = record(action.spans, .span, of: index, isSent: isChosen, otherwise: .sampledOut)
        events[index] = record(1, .event, of: index, isSent: action.admitsEvents, otherwise: .notCollected)
    }

    /// Returns where the records go.
    private mutating func record(
        _ count: Int, _ part: RecordCosts.Part, of index: Int, isSent: Bool, otherwise: RecordFate,
    ) -> RecordFate {
        if isSent {
            outbox.append(SamplingOutbox.Entry(action: index, part: part, count: count))
            return .waiting
        }
        guard scheme.hasRecorder else { return otherwise }
        guard day.plan.actions[index].isRecorderOn else { return .recorderOff }
        guard ring.isWithinHour else { return .hourlyBytes }
        places[index] = ring.append(count * costs.frame(part))
        return .inRing
    }

    private mutating func flush(_ outcome: PhonePlan.Outcome, at time: Double) {
        promote(at: time)
        guard !outbox.isEmpty else { return }
        if outcome == .isBlocked { return drop(outbox.store()) }
        let bytes = outbox.requests
        tally.tracesSent += bytes.traces
        tally.othersSent += bytes.others
        if outcome == .isLost { return drop(outbox.store()) }
        for entry in outbox.takeAll() { settle(entry, as: .arrived) }
    }

    private mutating func drop(_ entries: [SamplingOutbox.Entry]) {
        for entry in entries { settle(entry, as: .evicted) }
    }

    private mutating func settle(_ entry: SamplingOutbox.Entry, as fate: RecordFate) {
        guard entry.action >= 0 else { return }
        if entry.part.isSpan { spans[entry.action] = fate } else { events[entry.action] = fate }
    }
}

/// The work of the flight recorder.
extension SamplingPass {
    private mutating func launch(reporting report: Int?, at time: Double) {
        ring.begin()
        triggers = [:]
        if let report { request(report, at: time) }
        continued = sessionThatGoesOn
        promote(at: time)
        requests.removeAll { $0.run != ring.run }
    }

    /// The session of the last action, if the next one belongs to it too.
    private var sessionThatGoesOn: Int? {
        guard next > 0, next < day.plan.actions.count else { return nil }
        let session = day.plan.actions[next - 1].session
        return day.plan.actions[next].session == session ? session : nil
    }

    /// Removes the rings of previous runs, unless their session goes on.
    private mutating func forgetPrevious() {
        if let continued, day.plan.actions[next - 1].session == continued { return }
        continued = nil
        ring.forgetPrevious()
    }

    /// Asks the recorder to keep a session, unless its trigger has done so too often. Flows are not limited.
    private mutating func request(_ number: Int, at time: Double) {
        guard scheme.hasRecorder else { return }
        let bad = day.badSessions[number]
        if bad.fault != .abandonedFlow {
            if hour != Int(time / 3_600) { (hour, triggers) = (Int(time / 3_600), [:]) }
            guard triggers[bad.fault, default: 0] < limits.triggersPerHour else { return }
            triggers[bad.fault, default: 0] += 1
        }
        requests.append(Request(session: bad.session, window: bad.window, run: ring.run))
    }

    /// Moves what the ring has of the windows to the outbox.
    private mutating func promote(at time: Double) {
        guard scheme.hasRecorder else { return }
        ring.followHour(at: time)
        for request in requests {
            for index in day.plan.sessions[request.session].actions
            where request.window.contains(day.plan.actions[index].time) && day.plan.actions[index].time <= time {
                spans[index] = promote(
                    spans[index], day.plan.actions[index].spans, .span, as: .promotedSpan, of: index, at: time)
                events[index] = promote(events[index], 1, .event, as: .event, of: index, at: time)
            }
        }
        requests.removeAll { $0.window.upperBound < time }
        forgetPrevious()
    }

    /// Returns where the records are then.
    private mutating func promote(
        _ fate: RecordFate, _ count: Int, _ part: RecordCosts.Part, as promoted: RecordCosts.Part, of index: Int,
        at time: Double,
    ) -> RecordFate {
        guard fate == .inRing || fate == .dailyBytes else { return fate }
        guard ring.holds(places[index]) else { return .overwritten }
        guard ring.spend(count * costs.payload(part), at: time) else { return .dailyBytes }
        drop(outbox.enqueue(SamplingOutbox.Entry(action: index, part: promoted, count: count)))
        return .waiting
    }

    /// Counts a bad session: what is missing of its window, and of the whole session.
    private mutating func judge(_ bad: PhoneDay.BadSession) {
        var counts = tally.sessions[bad.fault] ?? SamplingTally.Sessions()
        var (missing, isWhole): (RecordFate?, Bool) = (nil, true)
        for index in day.plan.sessions[bad.session].actions {
            guard let fate = lacking(index) else { continue }
            isWhole = false
            if missing == nil, bad.window.contains(day.plan.actions[index].time) { missing = fate }
        }
        counts.count += 1
        if let missing { tally.missing[missing, default: 0] += 1 } else { counts.full += 1 }
        if isWhole { counts.whole += 1 }
        tally.sessions[bad.fault] = counts
    }

    /// Returns why an action is not at the collector; `nil` if it is. Events that the mode does not collect are not
    /// missing.
    private func lacking(_ index: Int) -> RecordFate? {
        let (spans, events) = (spans[index], events[index])
        if spans != .arrived, spans != .unmade { return spans }
        guard day.plan.actions[index].admitsEvents, events != .arrived, events != .unmade else { return nil }
        return events
    }
}
