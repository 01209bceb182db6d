package import AstrolabePolicy
import AstrolabeTelemetryModel

/// The flush times and what may be sent at them, as a value: the part of the service that depends on time.
///
/// A response stops the signal that it refuses: a server without logs takes spans. No response, or a time that the
/// server specified, stops every signal of that server.
struct UploadSchedule: Equatable, Sendable {
    /// The current plan.
    var plan: DeliveryPlan
    /// True if the user's consent is missing: nothing may be sent.
    var isHeld = false
    /// The start of the interval that ends with the next scheduled flush.
    private var lastFlush: Double
    /// The server of each signal, by scheme, host and port, in the order of `RecordKind.allCases`.
    private let servers: [String]
    /// Of what has failed, and has not worked since.
    private var backoffs: [FailedPart: Backoff] = [:]

    private struct Backoff: Equatable {
        var failures = 0
        var lastTry = 0.0
        /// Seconds on a monotonic clock.
        var nextTry = 0.0
        var reason = ""
        /// True if the server specified the time. If so, only the passing of that time ends the wait.
        var isServerRequested = false
        /// True if the last attempt came before its time. Then a flush that the app causes waits for the next one.
        var wasPassed = false

        /// Returns true if a flush may try before the wait ends.
        func letsPass(_ cause: FlushCause) -> Bool {
            !isServerRequested && cause.overridesBackoff && !(cause.isOfApp && wasPassed)
        }
    }

    /// The records that may be sent at a time.
    struct Permission: Equatable {
        let lowest: UploadPriority
        /// Never empty.
        let kinds: RecordKinds

        var lowestPriority: UInt8 { UInt8(lowest.rawValue) }

        /// `nil` for all, also those of a later version.
        var kindNumbers: Set<UInt8>? {
            let numbers = kinds.all.map(\.rawValue)
            return numbers.count == RecordKind.allCases.count ? nil : Set(numbers)
        }
    }

    init(_ plan: DeliveryPlan, to endpoint: OTLPEndpoint?, at now: Double) {
        self.plan = plan
        lastFlush = now
        servers = RecordKind.allCases.map { kind in
            endpoint.map { OTLPEndpoint.origin(of: $0.url(for: kind)) } ?? ""
        }
    }

    /// The permission to send now; `nil` if nothing may be sent.
    ///
    /// - Parameter failed: Signals that failed in this flush. Even a flush that skips the backoff tries each once.
    func permission(for cause: FlushCause, at now: Double, except failed: RecordKinds = []) -> Permission? {
        if isHeld { return nil }
        let kinds = RecordKind.allCases.filter { kind in
            let isDue = nextTry(of: kind) <= now
            return !failed.contains(kind)
                && (isDue || backoffs(of: kind).allSatisfy { $0.nextTry <= now || $0.letsPass(cause) })
        }
        let allowed = UploadPriority.allCases.filter { priority in
            switch plan.upload.action(for: priority) {
            case .sendNow: true
            case .batch: cause != .critical
            case .waitForWifi, .queue: false
            }
        }
        guard let lowest = allowed.min(), !kinds.isEmpty else { return nil }
        return Permission(lowest: lowest, kinds: RecordKinds(kinds))
    }

    /// Why records of normal priority are not sent; `nil` if they are.
    func blocker(at now: Double) -> DeliveryBlocker? {
        if isHeld { return .waitingForConsent }
        if !plan.upload.canSend { return .noPath }
        let waits = RecordKind.allCases.filter { nextTry(of: $0) > now }
        if let next = waits.min(by: { nextTry(of: $0) < nextTry(of: $1) }) {
            let reason = backoffs(of: next).max { $0.nextTry < $1.nextTry }?.reason ?? ""
            return .backingOff(
                delay: .seconds(nextTry(of: next) - now),
                reason: waits.count == RecordKind.allCases.count ? reason : "\(next.signal): \(reason)")
        }
        switch plan.upload.action(for: .normal) {
        case .sendNow, .batch: return nil
        case .waitForWifi: return .waitingForWifi
        case .queue: return .heldByPolicy
        }
    }

    /// Returns true if the remaining records must move to the queue: the server fails, or they will wait longer than a
    /// flush interval. A flush for critical records only leaves the latter to the next one.
    func mustMoveToQueue(after cause: FlushCause, at now: Double) -> Bool {
        !backoffs.isEmpty || cause != .critical && blocker(at: now) != nil
    }

    /// Seconds until the next flush: until a retry, or until the interval has passed since the last flush, regardless
    /// of plan changes since then.
    func wait(at now: Double) -> Double {
        let interval = plan.upload.strategy == .batched ? 2 * plan.flushInterval : plan.flushInterval
        let tries = RecordKind.allCases.map(nextTry)
        let next = tries.map { $0 > lastFlush ? $0 : lastFlush + interval }.min() ?? lastFlush + interval
        return max(next - now, 0.01)
    }

    /// Records the time of a flush, at its start and at its end. A flush for critical records only does not postpone
    /// the next one.
    mutating func recordFlush(_ cause: FlushCause, at now: Double) {
        if cause != .critical { lastFlush = now }
    }

    /// The number of attempts that have failed in a row.
    func failures(of part: FailedPart) -> Int { backoffs[part]?.failures ?? 0 }

    /// Returns true if the last attempt of a signal, or of any signal to its server, has failed.
    func isFailing(_ kind: RecordKind) -> Bool { !backoffs(of: kind).isEmpty }

    /// The part that a failure without a response, or with a time that the server specified, stops.
    func server(of kind: RecordKind) -> FailedPart {
        .server(zip(RecordKind.allCases, servers).first { $0.0 == kind }?.1 ?? "")
    }

    /// The signals that a failure stops.
    func kinds(of part: FailedPart) -> RecordKinds {
        RecordKinds(RecordKind.allCases.filter { part == .signal($0) || part == server(of: $0) })
    }

    /// When a signal may be tried again. Signals of one server that fail are tried together, the most urgent first.
    private func nextTry(of kind: RecordKind) -> Double {
        let server = server(of: kind)
        var next = backoffs[server]?.nextTry ?? 0
        if backoffs[.signal(kind)] != nil {
            next = max(next, kinds(of: server).all.compactMap { backoffs[.signal($0)]?.nextTry }.min() ?? 0)
        }
        return next
    }

    private func backoffs(of kind: RecordKind) -> [Backoff] {
        [backoffs[.signal(kind)], backoffs[server(of: kind)]].compactMap { $0 }
    }

    /// Counts a failed attempt.
    ///
    /// If a signal fails again, and so did all others of its server, they are likely to fail too. They wait with it,
    /// except one after each fourth failure: it finds out whether the server takes it by now.
    ///
    /// - Parameters:
    ///   - kind: The signal of the request.
    ///   - failed: The signals that have failed in this flush.
    /// - Returns: The signals to leave alone in this flush.
    mutating func failed(
        _ part: FailedPart, kind: RecordKind, wait: Double, reason: String, isServerRequested: Bool, at now: Double,
        after failed: RecordKinds = [],
    ) -> RecordKinds {
        let wasFailing = backoffs[part] != nil
        // The server responds.
        if part == .signal(kind) { backoffs[server(of: kind)] = nil }
        var backoff = backoffs[part] ?? Backoff()
        backoff.failures += 1
        backoff.wasPassed = backoff.nextTry > now
        backoff.lastTry = now
        backoff.nextTry = now + wait
        backoff.reason = reason
        backoff.isServerRequested = isServerRequested
        backoffs[part] = backoff
        var waiting = kinds(of: server(of: kind))
        guard part == .signal(kind), wasFailing, waiting.all.allSatisfy({ backoffs[.signal($0)] != nil }) else {
            return kinds(of: part)
        }
        let others = waiting.subtracting(failed).subtracting([kind])
        if failed.isEmpty, backoff.failures % 4 == 0,
            let probe = others.all.min(by: { (lastTry($0), $0.rawValue) < (lastTry($1), $1.rawValue) })
        {
            waiting.remove(probe)
        }
        for other in others.intersection(waiting).all {
            backoffs[.signal(other)]?.nextTry = now + wait
            backoffs[.signal(other)]?.wasPassed = backoff.wasPassed
        }
        return waiting
    }

    private func lastTry(_ kind: RecordKind) -> Double { backoffs[.signal(kind)]?.lastTry ?? 0 }

    mutating func succeeded(_ kind: RecordKind) {
        let server = server(of: kind)
        backoffs[server] = nil
        guard backoffs.removeValue(forKey: .signal(kind)) != nil else { return }
        // The server is back. What this flush has not tried is due at the next one.
        for other in kinds(of: server).all where lastTry(other) < lastFlush {
            backoffs[.signal(other)]?.nextTry = lastFlush
        }
    }
}

/// The part of the delivery that a failure concerns.
enum FailedPart: Hashable, Sendable {
    case signal(RecordKind)
    /// All signals that go to one scheme, host and port.
    case server(String)
}

/// The part of a policy decision that concerns delivery.
package struct DeliveryPlan: Equatable, Sendable {
    /// Seconds between two scheduled flushes. Doubled if uploads are batched, so that the radio wakes less often.
    package var flushInterval: Double
    package var upload: UploadPlan
    /// Bytes that the flight recorder may promote in a day; `nil` for those of the settings.
    package var recorderDailyBytes: Int?

    package init(flushInterval: Double, upload: UploadPlan) {
        self.flushInterval = flushInterval
        self.upload = upload
    }
}

/// Why a flush happens.
package enum FlushCause: Equatable, Sendable {
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

    /// True if the process may end before its next flush.
    var mayBeTheLast: Bool {
        switch self {
        case .conditions(.enteredBackground), .conditions(.memoryCritical), .conditions(.terminating): true
        case .conditions, .scheduled, .requested, .critical, .filling: false
        }
    }

    /// Returns true if a flush with this cause sends at least what one with the other cause sends.
    func sendsAsMuch(as other: FlushCause) -> Bool {
        if self == .critical, other != .critical { return false }
        if other.mayBeTheLast, !mayBeTheLast { return false }
        return overridesBackoff || !other.overridesBackoff
    }

    /// True if the app causes it, as often as it likes: such a flush passes each backoff at most once.
    var isOfApp: Bool { self == .requested || self == .critical }

    /// True if it tries even if the last attempt has just failed.
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
