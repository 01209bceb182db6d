import AstrolabePlatform
import Dispatch
import Foundation

/// The threads on which queries take their turns. Nothing else runs there.
///
/// Dispatch has as many threads for its concurrent queues as there are processors, so two long turns would take all.
final class TurnThreads: TaskExecutor {
    private let line: JobLine

    /// - Parameter count: The number of threads that work at the same time. They are started when they are needed.
    init(count: Int) { line = JobLine(threads: count) }

    deinit { line.end() }

    func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(self, operation: body)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The executor lives as long as it has jobs.
        line.add { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Blocks one of the threads. Another one works meanwhile.
    func wait(for semaphore: DispatchSemaphore) { line.wait(for: semaphore) }
}

/// The jobs that wait for a thread, first come, first served.
private final class JobLine: Sendable {
    private enum Step {
        case none
        case wake
        case start
    }

    private struct State {
        var jobs: [@Sendable () -> Void] = []
        /// The largest number of threads that do jobs, with those that are blocked.
        var limit: Int
        /// The threads that do jobs, or will do one.
        var active = 0
        /// The threads that wait for a job.
        var idle = 0
        var hasEnded = false

        /// Makes one more thread active, if there are jobs and one may be.
        mutating func activate() -> Step {
            guard !jobs.isEmpty, active < limit else { return .none }
            active += 1
            guard idle > 0 else { return .start }
            idle -= 1
            return .wake
        }
    }

    private let state: Locked<State>
    private let available = DispatchSemaphore(value: 0)

    init(threads: Int) {
        state = Locked(State(limit: threads))
    }

    func add(_ job: @escaping @Sendable () -> Void) {
        perform(
            state.withLock { state -> Step in
                state.jobs.append(job)
                return state.activate()
            })
    }

    func wait(for semaphore: DispatchSemaphore) {
        perform(
            state.withLock { state -> Step in
                state.limit += 1
                return state.activate()
            })
        semaphore.wait()
        state.withLock { $0.limit -= 1 }
    }

    private func perform(_ step: Step) {
        switch step {
        case .none: break
        case .wake: available.signal()
        case .start:
            let thread = Thread { [self] in work() }
            thread.name = "queries"
            thread.start()
        }
    }

    /// Does jobs until the line ends.
    private func work() {
        while let job = next() { job() }
    }

    /// Waits for a job. Returns `nil` at the end of the line.
    private func next() -> (@Sendable () -> Void)? {
        while true {
            let (job, hasEnded) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
                if !state.jobs.isEmpty, state.active <= state.limit { return (state.jobs.removeFirst(), false) }
                state.active -= 1
                if !state.hasEnded { state.idle += 1 }
                return (nil, state.hasEnded)
            }
            if let job { return job }
            if hasEnded { return nil }
            available.wait()
        }
    }

    /// Ends the threads. There are no jobs any more.
    func end() {
        let idle = state.withLock { state -> Int in
            defer { state.idle = 0 }
            state.hasEnded = true
            return state.idle
        }
        for _ in 0..<idle { available.signal() }
    }
}
