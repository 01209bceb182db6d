/// The display's clock: when it is, and how far apart frames are promised.
package protocol FrameClock: Sendable {
    /// Since any one moment; it never goes back.
    var now: Duration { get }
    /// Between two frames.
    var interval: Duration { get }
    /// Returns at that time, or when the task is cancelled.
    func wait(until time: Duration) async
}

/// Real time, 60 frames a second unless told otherwise.
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

/// A clock that stands still until it is moved, for tests.
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

    /// Moves the time on without anybody being woken, as slow work does.
    nonisolated package func spend(_ duration: Duration) {
        time.update { $0 += duration }
    }

    /// Moves the time on, and wakes whoever waits for it.
    package func advance(by duration: Duration) {
        spend(duration)
        let due = sleepers.filter { $0.until <= now }
        sleepers.removeAll { $0.until <= now }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Whether anybody waits for a later time.
    package var isAwaited: Bool { !sleepers.isEmpty }
}
