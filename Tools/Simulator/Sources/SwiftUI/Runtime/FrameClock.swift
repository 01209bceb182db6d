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

/// A clock for tests, which stands still until it runs, and then jumps from one awaited time to the next.
///
///     let clock = ManualFrameClock(framesPerSecond: 10)
///     let host = ViewHost(Screen(), clock: clock)
///     host.tap("go")
///     clock.run()
///     await host.waitUntilSettled()    // all frames of the animation have been shown
@MainActor
package final class ManualFrameClock: FrameClock {
    nonisolated package let interval: Duration
    private nonisolated let time = MutexValue(Duration.zero)
    private var isRunning = false
    private var sleepers: [(until: Duration, continuation: CheckedContinuation<Void, Never>)] = []

    nonisolated package init(framesPerSecond: Int = 60) {
        interval = .seconds(1) / framesPerSecond
    }

    nonisolated package var now: Duration { time.value }

    package func wait(until time: Duration) async {
        guard time > now else { return }
        if isRunning { return jump(to: time) }
        await withCheckedContinuation { sleepers.append((time, $0)) }
    }

    /// Advances the time without resuming waiters, as slow work does.
    nonisolated package func spend(_ duration: Duration) {
        time.update { $0 += duration }
    }

    /// From now on a task that waits for a time finds that it has come.
    package func run() {
        isRunning = true
        let waiting = sleepers.sorted { $0.until < $1.until }
        sleepers = []
        for sleeper in waiting {
            jump(to: sleeper.until)
            sleeper.continuation.resume()
        }
    }

    private func jump(to time: Duration) {
        self.time.update { $0 = max($0, time) }
    }
}
