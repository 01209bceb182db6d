/// Decides whether the main thread hangs, from what a watchdog sees at each of its looks.
///
/// At every look the main thread is asked to answer, unless it still owes an answer. Times are nanoseconds of a clock
/// that never goes back. A stretch in which the watchdog itself was not run, because the process was stopped or the
/// device slept, is taken out of all durations: nobody can tell what would have happened in it.
struct HangDetector: Hashable, Sendable {
    /// What the watchdog sees.
    struct Look: Hashable, Sendable {
        var now: UInt64
        /// The last question that has been answered, and when; 0 for none.
        var answered: UInt64 = 0
        var answeredAt: UInt64 = 0
        /// False in the background and under a debugger.
        var isListening = true
    }

    enum Action: Hashable, Sendable {
        case none
        /// Ask the main thread this question.
        case ask(UInt64)
        /// The main thread hangs, since so many nanoseconds.
        case begin(UInt64)
        /// It still does.
        case goOn(UInt64)
        /// It did for so many nanoseconds, and has answered or is no longer listened to.
        case end(UInt64)
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
    /// Nanoseconds taken out of the clock so far.
    private var lost: UInt64 = 0
    /// A program whose main thread has never answered does not serve its queue.
    private var hasAnswered = false

    /// After so many intervals without a look the watchdog has not been run.
    private static let patience: UInt64 = 4

    init(interval: UInt64 = 50_000_000, threshold: UInt64) {
        self.interval = interval
        self.threshold = threshold
    }

    mutating func see(_ look: Look) -> Action {
        let gap = look.now - min(lastLook ?? look.now, look.now)
        if gap > interval * Self.patience { lost += gap - interval }
        lastLook = look.now
        let now = look.now - lost
        guard look.isListening else {
            defer { state = .idle }
            if case .hanging(let since) = state { return .end(now - since) }
            return .none
        }
        switch state {
        case .idle: return ask(at: now)
        case .asked(let since), .hanging(let since):
            if look.answered == question { return answer(at: look.answeredAt, now: now, since: since) }
            guard hasAnswered else { return .none }
            if case .hanging = state { return .goOn(now - since) }
            guard now - since >= threshold else { return .none }
            state = .hanging(since)
            return .begin(now - since)
        }
    }

    private mutating func ask(at now: UInt64) -> Action {
        question += 1
        // It was seen alive at the look before: between the two is the likeliest moment at which a hang began.
        state = .asked(now - min(interval / 2, now))
        return .ask(question)
    }

    private mutating func answer(at time: UInt64, now: UInt64, since: UInt64) -> Action {
        hasAnswered = true
        let duration = min(time - min(lost, time), now) - min(since, time - min(lost, time), now)
        let wasHanging = if case .hanging = state { true } else { false }
        guard wasHanging || duration >= threshold else { return ask(at: now) }
        state = .idle
        return .end(duration)
    }
}
