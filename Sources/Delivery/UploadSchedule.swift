package import AstrolabePolicy

/// The flush times and what may be sent at them, as a value: the part of the service that depends on time.
struct UploadSchedule: Hashable, Sendable {
    /// The current plan.
    var plan: DeliveryPlan
    /// Whether the user's consent is missing: nothing may be sent.
    var isHeld = false
    /// Seconds on a monotonic clock.
    private var nextTry = 0.0
    /// The start of the interval that ends with the next scheduled flush.
    private var lastFlush: Double
    private var failures = 0
    private var reason = ""
    /// Whether the server specified the time. If so, only the passing of that time ends the wait.
    private var isServerRequested = false

    init(_ plan: DeliveryPlan, at now: Double) {
        self.plan = plan
        lastFlush = now
    }

    /// The number of attempts that have failed in a row.
    var attempts: Int { failures }

    /// The lowest priority that may be sent now; `nil` if none may.
    func lowestPriority(for cause: FlushCause, at now: Double) -> UploadPriority? {
        if isHeld { return nil }
        if remainingWait(at: now) > 0, isServerRequested || !cause.overridesBackoff { return nil }
        let allowed = UploadPriority.allCases.filter { priority in
            switch plan.upload.action(for: priority) {
            case .sendNow: true
            case .batch: cause != .critical
            case .waitForWifi, .queue: false
            }
        }
        return allowed.min()
    }

    /// Why records of normal priority are not sent; `nil` if they are.
    func blocker(at now: Double) -> DeliveryBlocker? {
        if isHeld { return .waitingForConsent }
        let wait = remainingWait(at: now)
        if !plan.upload.canSend { return .noPath }
        if wait > 0 { return .backingOff(delay: .seconds(wait), reason: reason) }
        switch plan.upload.action(for: .normal) {
        case .sendNow, .batch: return nil
        case .waitForWifi: return .waitingForWifi
        case .queue: return .heldByPolicy
        }
    }

    /// Whether the remaining records must move to the queue: the server fails, or they will wait longer than a flush
    /// interval.
    func mustMoveToQueue(at now: Double) -> Bool { failures > 0 || blocker(at: now) != nil }

    /// Seconds until the next scheduled flush, counted from the last one, regardless of plan changes since then.
    func wait(at now: Double) -> Double {
        let interval = plan.upload.strategy == .batched ? 2 * plan.flushInterval : plan.flushInterval
        return max((nextTry > lastFlush ? nextTry : lastFlush + interval) - now, 0.01)
    }

    /// Records the time of a flush, at its start and at its end. A flush for critical records only does not postpone
    /// the next one.
    mutating func recordFlush(_ cause: FlushCause, at now: Double) {
        if cause != .critical { lastFlush = now }
    }

    private func remainingWait(at now: Double) -> Double { max(0, nextTry - now) }

    mutating func failed(wait: Double, reason: String, isServerRequested: Bool, at now: Double) {
        failures += 1
        nextTry = now + wait
        self.reason = reason
        self.isServerRequested = isServerRequested
    }

    mutating func succeeded() {
        failures = 0
        nextTry = 0
        isServerRequested = false
    }
}

/// The part of a policy decision that concerns delivery.
package struct DeliveryPlan: Hashable, Sendable {
    /// Seconds between two scheduled flushes. Doubled if uploads are batched, so that the radio wakes less often.
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
    /// The app requested it.
    case requested
    /// A record of critical priority was made.
    case critical
    /// Half of the journal is in use.
    case filling
    /// The conditions changed.
    case conditions(FlushTrigger)

    /// Whether the process may end before its next flush.
    var mayBeTheLast: Bool {
        switch self {
        case .conditions(.enteredBackground), .conditions(.memoryCritical), .conditions(.terminating): true
        case .conditions, .scheduled, .requested, .critical, .filling: false
        }
    }

    /// Whether a flush with this cause sends at least what one with the other cause sends.
    func sendsAsMuch(as other: FlushCause) -> Bool {
        if self == .critical, other != .critical { return false }
        if other.mayBeTheLast, !mayBeTheLast { return false }
        return overridesBackoff || !other.overridesBackoff
    }

    /// Whether to try even if the last attempt has just failed.
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
