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
                let ready = lock.withLock { () -> [CheckedContinuation<Void, Never>] in
                    sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                    defer { watchers.removeAll { $0.count <= nextID } }
                    return watchers.filter { $0.count <= nextID }.map(\.continuation)
                }
                for watcher in ready { watcher.resume() }
                if Task.isCancelled { cancel(id) }
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

    /// Returns when so many sleeps have begun since the start, whether or not they are over.
    func waitForSleeps(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = lock.withLock {
                if nextID < count { watchers.append((count, continuation)) }
                return nextID >= count
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
