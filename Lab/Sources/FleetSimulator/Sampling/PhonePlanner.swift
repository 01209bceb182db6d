import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabePolicy
import AstrolabeSessions

/// Makes the plan of a phone from its timeline, with the SDK's policy.
struct PhonePlanner {
    private(set) var plan = PhonePlan()
    private let policy = CollectionPolicy()
    private let context: DeviceContext
    private let outages: CollectorOutages
    /// Seconds after which the app records nothing more, and only delivers.
    private let end: Double
    private var actions: SeededRandom
    private var losses: SeededRandom
    private var draws: SeededRandom
    private var conditions = Conditions(lifecycle: .terminated)
    /// The conditions that the app knows. A suspended app receives none.
    private var seen = Conditions()
    private var decision: PolicyDecision
    private var link = LinkQuality.dead
    private var now = 0.0
    private var isRunning = false
    private var isInUse = false
    private var lastFlush = 0.0
    private var nextAction = Double.infinity
    private var nextReading = Double.infinity
    private var readings = 0
    private var isBusy = false

    /// Hours after the last session in which the phones only deliver.
    static let tail = 12
    private static let secondsPerAction = 12.0
    private static let secondsPerReading = 60.0
    private static let metricsPerReading = 4
    /// Sessions that record this many times as many spans, such as those with a live map, and their share.
    private static let busyFactor = 20
    private static let busyShare = 0.01
    /// Seconds without activity after which the next use begins a session, and of the longest one.
    static let inactivity: Double = SessionLimits().inactivity / .seconds(1)
    private static let longestSession: Double = SessionLimits().maximumDuration / .seconds(1)

    init(seed: UInt64, device: Int, hours: Int, outages: CollectorOutages) {
        var model = DayModel(seed: seed, device: device, duration: Double(hours + Self.tail) * 3_600)
        // The bad sessions have their own.
        model.secondsPerCrash = .infinity
        context = model.person.context
        self.outages = outages
        end = Double(hours) * 3_600
        actions = model.chance(.actions)
        losses = model.chance(.requests)
        draws = model.chance(.sessions)
        decision = policy.decision(for: seen, on: context)
        let timeline = model.timeline()
        for step in timeline.steps where step.time < timeline.duration {
            pass(to: step.time)
            now = step.time
            perform(step.event, at: step.time)
        }
        pass(to: timeline.duration)
        closeSession()
    }

    private var isAwake: Bool { isRunning && conditions.lifecycle != .suspended }

    private var flushInterval: Double { decision.flushInterval / .seconds(1) }

    private var nextFlush: Double {
        lastFlush + (decision.upload.strategy == .batched ? 2 * flushInterval : flushInterval)
    }

    private mutating func pass(to time: Double) {
        while isAwake {
            let next = min(nextFlush, nextAction, nextReading)
            guard next < time else { return }
            // A flush may have been due while the app was suspended.
            now = max(now, next)
            if next == nextAction {
                act(at: now)
            } else if next == nextReading {
                read(at: now)
            } else {
                flush(at: now)
            }
        }
    }

    private mutating func perform(_ event: DeviceTimeline.Event, at time: Double) {
        switch event {
        case .network(let path, let quality):
            conditions.network = path
            link = quality
        case .power(let power): conditions.power = power
        case .heat(let state): conditions.thermal = state
        case .memory(let pressure): conditions.memory = pressure
        case .lifecycle(let state): if isRunning { conditions.lifecycle = state }
        case .launch: return launch(at: time)
        case .end: return endRun(at: time)
        // A request that a kill interrupts is sent again.
        case .scheduleKill, .records: return
        }
        follow(at: time)
    }

    /// Decides again if the app knows of a change.
    private mutating func follow(at time: Double) {
        guard isAwake, conditions != seen else {
            if !isAwake { endUse(at: time) }
            return
        }
        let triggers = policy.flushTriggers(from: seen, to: conditions, on: context)
        decision = policy.decision(for: conditions, on: context)
        seen = conditions
        // A shorter interval does not make up for time that has passed.
        lastFlush = max(lastFlush, time - flushInterval)
        if !triggers.isEmpty { flush(at: time) }
        let isActive = conditions.lifecycle == .active
        if isActive, !isInUse { beginUse(at: time) }
        if !isActive { endUse(at: time) }
    }

    private mutating func launch(at time: Double) {
        guard !isRunning else { return }
        isRunning = true
        conditions.lifecycle = .launching
        conditions.memory = .normal
        seen = conditions
        decision = policy.decision(for: seen, on: context)
        lastFlush = time
        plan.moments.append(PhonePlan.Moment(time: time, event: .launch(reporting: nil)))
    }

    private mutating func endRun(at time: Double) {
        endUse(at: time)
        isRunning = false
        conditions.lifecycle = .terminated
    }

    private mutating func beginUse(at time: Double) {
        guard time < end else { return }
        isInUse = true
        plan.uses.append(PhonePlan.Use(start: time, end: time))
        beginSession(at: time)
        nextAction = time + actions.within(1...5)
        nextReading = time + Self.secondsPerReading
        readings = 0
    }

    private mutating func endUse(at time: Double) {
        guard isInUse else { return }
        isInUse = false
        plan.uses[plan.uses.count - 1].end = time
        (nextAction, nextReading) = (.infinity, .infinity)
    }

    /// Begins a session if the last one has ended by then.
    private mutating func beginSession(at time: Double) {
        if let session = plan.sessions.last {
            let last = plan.actions.last?.time ?? session.start
            guard time - last > Self.inactivity || time - session.start > Self.longestSession else { return }
        }
        closeSession()
        isBusy = draws.happens(Self.busyShare)
        let first = plan.actions.count
        plan.sessions.append(
            PhonePlan.Session(
                start: time, actions: first..<first, randomness: draws.unit(), faultDraw: draws.unit(),
                fault: draws.pick(SamplingFault.weights) ?? .failedRequest, position: draws.unit(),
                relaunch: draws.happens(0.6) ? draws.within(4...40) : nil))
    }

    private mutating func closeSession() {
        guard let last = plan.sessions.indices.last else { return }
        plan.sessions[last].actions = plan.sessions[last].actions.lowerBound..<plan.actions.count
    }

    /// Records an action: its event, a root span, and up to four requests.
    private mutating func act(at time: Double) {
        nextAction = time + 0.1 + actions.wait(mean: Self.secondsPerAction)
        guard time < end else { return }
        let spans = (1 + actions.count(0...4)) * (isBusy ? Self.busyFactor : 1)
        plan.moments.append(PhonePlan.Moment(time: time, event: .action(plan.actions.count)))
        plan.actions.append(
            PhonePlan.Action(
                time: time, session: plan.sessions.count - 1, spans: spans, rate: decision.samplingRate,
                admitsEvents: decision.admission(of: .info) == .always, isRecorderOn: decision.isRecorderOn))
    }

    private mutating func read(at time: Double) {
        nextReading = time + Self.secondsPerReading
        readings += 1
        guard time < end, readings % decision.mode.metricIntervalFactor == 0 else { return }
        plan.moments.append(PhonePlan.Moment(time: time, event: .metrics(Self.metricsPerReading)))
    }

    private mutating func flush(at time: Double) {
        lastFlush = time
        plan.moments.append(PhonePlan.Moment(time: time, event: .flush(outcome(at: time))))
    }

    private mutating func outcome(at time: Double) -> PhonePlan.Outcome {
        switch decision.upload.action(for: .normal) {
        case .waitForWifi, .queue: return .isBlocked
        case .sendNow, .batch: break
        }
        // No connection is made over a dead link, and an overloaded collector is left alone.
        if link == .dead || outages.refusal(at: time) != nil { return .isBlocked }
        return losses.happens(link.loss) ? .isLost : .arrives
    }
}
