/// The clock of the display: the current time, and the frame interval.
package protocol FrameClock: Sendable {
    /// The time since a fixed moment, which never decreases.
    var now: Duration { get }
    /// The time between two frames.
    var interval: Duration { get }
    /// Waits until a time, or until the task is cancelled.
    func wait(until time: Duration) async
}

/// A clock in real time, with 60 frames per second by default.
package struct LiveFrameClock: FrameClock {
    package let interval: Duration
    private let start = ContinuousClock.now

    package init(framesPerSecond: Int = 60) {
        interval = .seconds(1) / framesPerSecond
    }

    package var now: Duration { ContinuousClock.now - start }

    package func wait(until time: Duration) async {
        try? await Task.sleep(until: start + time, tolerance: .zero, clock: .continuous)
    }
}

/// A clock for tests, which moves only when it is advanced.
@MainActor
package final class ManualFrameClock: FrameClock {
    nonisolated package let interval: Duration
    private nonisolated let time = Locked(Duration.zero)
    private var sleepers: [(until: Duration, continuation: CheckedContinuation<Void, Never>)] = []

    nonisolated package init(framesPerSecond: Int = 60) {
        interval = .seconds(1) / framesPerSecond
    }

    nonisolated package var now: Duration { time.value }

    package func wait(until time: Duration) async {
        guard time > now else { return }
        await withCheckedContinuation { sleepers.append((time, $0)) }
    }

    /// Advances the time without resuming waiters, as slow work does.
    nonisolated package func spend(_ duration: Duration) {
        time.update { $0 += duration }
    }

    /// Advances the time and resumes the waiters whose time has come.
    package func advance(by duration: Duration) {
        spend(duration)
        let due = sleepers.filter { $0.until <= now }
        sleepers.removeAll { $0.until <= now }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Whether a task waits for a later time.
    package var isAwaited: Bool { !sleepers.isEmpty }
}
