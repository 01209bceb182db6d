package import AstrolabePolicy

/// When to flush and what may leave then: what the service knows of time, as a value.
struct UploadSchedule: Hashable, Sendable {
    /// The policy's word.
    var plan: DeliveryPlan
    /// Seconds; by a clock that never goes back.
    private var nextTry = 0.0
    /// When the interval began that ends with the next flush.
    private var lastFlush: Double
    private var failures = 0
    private var reason = ""
    /// The server named the time itself: nothing but that time ends the wait.
    private var isServersWish = false

    init(_ plan: DeliveryPlan, at now: Double) {
        self.plan = plan
        lastFlush = now
    }

    /// Tries that have failed in a row.
    var attempts: Int { failures }

    /// The least priority that may leave now; `nil` where none may.
    func lowestPriority(for cause: FlushCause, at now: Double) -> UploadPriority? {
        if remainingWait(at: now) > 0, isServersWish || !cause.overridesBackoff { return nil }
        let willing = UploadPriority.allCases.filter { priority in
            switch plan.upload.action(for: priority) {
            case .sendNow: true
            case .batch: cause != .critical
            case .waitForWifi, .queue: false
            }
        }
        return willing.min()
    }

    /// Why records of normal priority do not leave; `nil` where they would.
    func blocker(at now: Double) -> DeliveryBlocker? {
        let wait = remainingWait(at: now)
        if !plan.upload.canSend { return .noPath }
        if wait > 0 { return .backingOff(seconds: wait, reason: reason) }
        switch plan.upload.action(for: .normal) {
        case .sendNow, .batch: return nil
        case .waitForWifi: return .waitingForWifi
        case .queue: return .heldByPolicy
        }
    }

    /// Whether what stays behind is to be moved into the queue: it will wait for longer than a flush interval.
    func mustSetAside(at now: Double) -> Bool { blocker(at: now) != nil }

    /// Seconds until the next flush that nothing but time asks for: counted from the last one, however often the plan
    /// has changed since.
    func wait(at now: Double) -> Double {
        let interval = plan.upload.strategy == .batched ? 2 * plan.flushInterval : plan.flushInterval
        return max((nextTry > lastFlush ? nextTry : lastFlush + interval) - now, 0.01)
    }

    /// Notes a flush, at its beginning and at its end. One for what is critical alone leaves the rest to the next.
    mutating func noteFlush(_ cause: FlushCause, at now: Double) {
        if cause != .critical { lastFlush = now }
    }

    private func remainingWait(at now: Double) -> Double { max(0, nextTry - now) }

    mutating func failed(wait: Double, reason: String, isServersWish: Bool, at now: Double) {
        failures += 1
        nextTry = now + wait
        self.reason = reason
        self.isServersWish = isServersWish
    }

    mutating func succeeded() {
        failures = 0
        nextTry = 0
        isServersWish = false
    }
}

/// What the policy says of delivery.
package struct DeliveryPlan: Hashable, Sendable {
    /// Seconds between two flushes that nothing else asks for; twice that where uploads are batched, so that the radio
    /// wakes up seldom.
    package var flushInterval: Double
    package var upload: UploadPlan

    package init(flushInterval: Double, upload: UploadPlan) {
        self.flushInterval = flushInterval
        self.upload = upload
    }
}

/// Why a flush happens.
package enum FlushCause: Hashable, Sendable {
    /// The interval has passed, or a retry is due.
    case scheduled
    /// Somebody asked.
    case requested
    /// A record of critical priority was made.
    case critical
    /// Half of the journal is in use.
    case filling
    /// The conditions have changed.
    case conditions(FlushTrigger)

    /// Whether the process may be ended before it gets to another flush.
    var mayBeTheLast: Bool {
        switch self {
        case .conditions(.enteredBackground), .conditions(.memoryCritical), .conditions(.terminating): true
        case .conditions, .scheduled, .requested, .critical, .filling: false
        }
    }

    /// Whether to try though the last try failed a moment ago.
    var overridesBackoff: Bool {
        switch self {
        case .scheduled, .filling: false
        case .requested, .critical: true
        case .conditions(let trigger):
            switch trigger {
            case .networkReturned, .uploadsAllowed, .becameActive, .enteredBackground, .terminating: true
            case .memoryCritical: false
            }
        }
    }
}
