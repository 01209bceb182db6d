/// Decides whether the main thread hangs, from what a watchdog sees at each of its looks.
///
/// At every look the main thread is asked to answer, unless it still owes an answer. Times are nanoseconds of a clock
/// that never goes back. A stretch in which the watchdog itself was not run, because the process was stopped or the
/// device slept, is taken out of all durations: nobody can tell what would have happened in it. One in which it waited
/// for a busy processor counts. Short stops look as that does where the system does not tell, and are not taken out; so
/// it is no hang unless the watchdog was run for half of the threshold meanwhile: so would have been the main thread.
struct HangDetector: Hashable, Sendable {
    /// What the watchdog sees.
    struct Look: Hashable, Sendable {
        var now: UInt64
        /// The last question that has been answered, and when; 0 for none.
        var answered: UInt64 = 0
        var answeredAt: UInt64 = 0
        /// For how long the watchdog has waited for a processor since the look before, where the system tells.
        var waited: UInt64 = 0
        /// False in the background and under a debugger.
        var isListening = true
        /// Whether the main thread is known to serve its queue, though it has not answered yet: that of an app which
        /// has been in front.
        var isServing = false
    }

    enum Action: Hashable, Sendable {
        case none
        /// Ask the main thread this question.
        case ask(UInt64)
        /// The main thread hangs, since so many nanoseconds.
        case begin(UInt64)
        /// It still does.
        case goOn(UInt64)
        /// It did for so many nanoseconds, and has answered.
        case end(UInt64)
        /// It did for so many nanoseconds, and nobody listens any more.
        case leave(UInt64)
    }

    private enum State: Hashable {
        case idle
        case asked(UInt64)
        case hanging(UInt64)
    }

    /// Nanoseconds between two looks.
    let interval: UInt64
    /// From how many nanoseconds on it is a hang.
    let threshold: UInt64
    private var state = State.idle
    private var question: UInt64 = 0
    private var lastLook: UInt64?
    /// Nanoseconds taken out of the clock so far, and as of the look before.
    private var lost: UInt64 = 0
    private var lostBefore: UInt64 = 0
    /// For how long the process has surely not been stopped since the question: of each stretch between two looks, an
    /// interval and what the watchdog has waited.
    private var evidence: UInt64 = 0
    /// When the main thread last answered. That of a program that is no app may never: it does not serve its queue.
    private var lastAnswer: UInt64?

    /// After so many intervals without a look the watchdog has not been run.
    private static let patience: UInt64 = 3

    init(interval: UInt64 = 50_000_000, threshold: UInt64) {
        self.interval = interval
        self.threshold = threshold
    }

    /// Whether the main thread owes an answer for so long that it hangs.
    var isHanging: Bool { if case .hanging = state { true } else { false } }

    mutating func see(_ look: Look) -> Action {
        let previous = min(lastLook ?? look.now, look.now)
        lostBefore = lost
        let gap = look.now - previous
        let unexplained = gap - min(look.waited, gap)
        if unexplained > interval * Self.patience { lost += unexplained - interval }
        evidence += min(unexplained, interval) + (gap - unexplained)
        lastLook = look.now
        let now = look.now - lost
        guard look.isListening else {
            defer { state = .idle }
            guard case .hanging(let since) = state else { return .none }
            guard look.answered == question else { return .leave(now - since) }
            let time = steady(look.answeredAt, after: previous, now: now)
            lastAnswer = time
            return .end(time - min(since, time))
        }
        switch state {
        case .idle: return ask(at: now)
        case .asked(let since), .hanging(let since):
            if look.answered == question {
                return answer(at: steady(look.answeredAt, after: previous, now: now), now: now, since: since)
            }
            guard lastAnswer != nil || look.isServing else { return .none }
            if case .hanging = state { return .goOn(now - since) }
            guard isHang(now - since) else { return .none }
            state = .hanging(since)
            return .begin(now - since)
        }
    }

    /// The time of an answer with what is lost taken out: of a stretch without a look nobody knows which part the
    /// process was run in, so an answer early in it came before the stop, and any other after.
    private func steady(_ time: UInt64, after previous: UInt64, now: UInt64) -> UInt64 {
        let lost = time - min(previous, time) <= interval ? lostBefore : lost
        return min(time - min(lost, time), now)
    }

    private mutating func ask(at now: UInt64) -> Action {
        question += 1
        evidence = 0
        // Between its last answer and now it began to hang, if it does: in the middle, as far as anybody can tell.
        let unseen = min(now - min(lastAnswer ?? now, now), interval * Self.patience)
        state = .asked(now - unseen / 2)
        return .ask(question)
    }

    private mutating func answer(at time: UInt64, now: UInt64, since: UInt64) -> Action {
        lastAnswer = time
        let duration = time - min(since, time)
        guard isHanging || isHang(duration) else { return ask(at: now) }
        state = .idle
        return .end(duration)
    }

    private func isHang(_ duration: UInt64) -> Bool { duration >= threshold && evidence >= threshold / 2 }
}
