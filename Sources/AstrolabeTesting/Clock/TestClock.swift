import AstrolabePlatform

/// Stands still until a test moves it.
///
///     let clock = TestClock()
///     let reminder = Task { try await clock.sleep(for: .seconds(30)) }
///     try await clock.waitForSleepers()
///     clock.advance(by: .seconds(30))
///     try await reminder.value
///
/// Sleepers wake in the order of their deadlines, and at one deadline in the order of falling asleep. A woken task goes
/// on by itself, on a thread of its own, while the clock goes on. A test that moves the clock over several deadlines of
/// one task uses ``advance(by:sleepers:)``, which waits for the task in between. Nothing here waits in real time.
public final class TestClock: Clock {
    /// A moment of one clock's time.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time since the clock was created.
        public let offset: Duration

        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        public var description: String { "\(offset)" }
    }

    private let timeline = Locked(Timeline())

    public init() {}

    public var now: Instant { timeline.withLock { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The number of tasks that sleep at the moment.
    public var sleeperCount: Int { timeline.withLock { $0.sleeperCount } }

    /// The moment at which the clock has something to do next: a sleeper to wake or an action to run.
    public var nextDeadline: Instant? { timeline.withLock { $0.nextDeadline } }

    /// Returns at once where the deadline is not in the future.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, and at once where it was cancelled before.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await suspend { timeline, waiter in timeline.sleep(waiter, until: deadline) }
    }

    /// Returns as soon as at least so many tasks sleep.
    ///
    /// - Throws: `CancellationError` where the task that waits is cancelled, as by the time limit of a test.
    public func waitForSleepers(_ count: Int = 1) async throws {
        try await suspend { timeline, waiter in timeline.watch(waiter, forSleepers: count) }
    }

    /// Moves the clock on, waking all whose deadline comes by then and running what was scheduled.
    ///
    /// Does not wait for those it wakes. A negative duration does nothing: the clock never goes back.
    public func advance(by duration: Duration) {
        advance(to: now.advanced(by: duration))
    }

    /// Moves the clock on to a moment; does nothing where that has passed.
    public func advance(to target: Instant) {
        while let due = timeline.withLock({ $0.takeNext(until: target) }) { due.run() }
    }

    /// Moves the clock on from deadline to deadline, each time when so many tasks sleep.
    ///
    ///     try await clock.advance(by: .seconds(10), sleepers: 1)
    ///
    /// A loop that sleeps for a second at a time makes its ten rounds in that, and is asleep again on return. One
    /// sleeper is woken at a time, so with several loops each round ends before the next begins.
    ///
    /// - Parameter count: How many tasks sleep on this clock when there is nothing to do. Where fewer ever come back,
    ///   because one of them ended, this waits for ever, or until its task is cancelled.
    /// - Throws: `CancellationError` where the task is cancelled; the clock then stands where it had come to.
    public func advance(by duration: Duration, sleepers count: Int) async throws {
        let target = now.advanced(by: duration)
        try await waitForSleepers(count)
        while let due = timeline.withLock({ $0.takeNext(until: target) }) {
            due.run()
            try await waitForSleepers(count)
        }
    }

    /// Runs an action when the clock comes to a moment, on the thread that moves it and before it goes on.
    ///
    ///     clock.schedule(at: clock.now.advanced(by: .seconds(5))) { device.goOffline() }
    ///
    /// Runs it at once where the moment is not in the future. The action may move the clock and schedule others.
    @discardableResult
    public func schedule(at instant: Instant, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        let (number, isDue) = timeline.withLock { $0.schedule(action, at: instant) }
        if isDue { action() }
        return ScheduledAction { [weak self] in _ = self?.timeline.withLock { $0.remove(number) } }
    }

    /// Suspends until the continuation is resumed or the task is cancelled, whichever is first.
    ///
    /// - Parameter enlist: Puts the waiter where it will be found; returns those who need not wait, or not any more.
    private func suspend(_ enlist: @Sendable (inout Timeline, Timeline.Waiter) -> [Timeline.Waiter]) async throws {
        let number = timeline.withLock { $0.makeNumber() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Timeline.Waiter(number: number, continuation: continuation)
                // A task that is cancelled after this look finds the waiter with `remove`: both hold the lock.
                let ready = timeline.withLock { Task.isCancelled ? nil : enlist(&$0, waiter) }
                guard let ready else { return continuation.resume(throwing: CancellationError()) }
                for waiter in ready { waiter.continuation.resume() }
            }
        } onCancel: {
            timeline.withLock { $0.remove(number) }?.continuation.resume(throwing: CancellationError())
        }
    }
}

/// Something that a ``TestClock`` will run.
public struct ScheduledAction: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Does nothing where it has run already.
    public func cancel() { end() }
}
