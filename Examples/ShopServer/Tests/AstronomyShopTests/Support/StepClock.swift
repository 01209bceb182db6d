import Foundation

/// A clock that stands still until a test moves it.
final class StepClock: Clock, @unchecked Sendable {  // the lock orders every access to the state
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let lock = NSLock()
    private var time = Instant()
    private var nextID = 0
    /// The number of sleeps that have begun: those of `sleepers`, and those that are over.
    private var begun = 0
    private var sleepers: [Sleeper] = []
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    var now: Instant { lock.withLock { time } }
    let minimumResolution = Duration.zero

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = lock.withLock {
            nextID += 1
            return nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isDue, ready) = lock.withLock { () -> (Bool, [CheckedContinuation<Void, Never>]) in
                    begun += 1
                    let isDue = deadline <= time
                    if !isDue { sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation)) }
                    defer { watchers.removeAll { $0.count <= begun } }
                    return (isDue, watchers.filter { $0.count <= begun }.map(\.continuation))
                }
                for watcher in ready { watcher.resume() }
                if isDue { continuation.resume() } else if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let sleeper = lock.withLock {
            sleepers.firstIndex { $0.id == id }.map { sleepers.remove(at: $0) }
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    /// Returns when so many sleeps have begun since the start, whether or not they are over. A call of `advance` then
    /// ends those that are due.
    func waitForSleeps(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = lock.withLock {
                if begun < count { watchers.append((count, continuation)) }
                return begun >= count
            }
            if isReady { continuation.resume() }
        }
    }

    func advance(by duration: Duration) {
        let due = lock.withLock { () -> [Sleeper] in
            time = time.advanced(by: duration)
            defer { sleepers.removeAll { $0.deadline <= time } }
            return sleepers.filter { $0.deadline <= time }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
