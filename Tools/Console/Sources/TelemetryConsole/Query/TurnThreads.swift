import AstrolabePlatform
import Dispatch
import Foundation

/// The threads on which queries take their turns. Nothing else runs there.
///
/// Dispatch has as many threads for its concurrent queues as there are processors, so two long turns would take all.
final class TurnThreads: TaskExecutor {
    private let line = JobLine()
    private let count: Int

    init(count: Int) {
        self.count = count
        for _ in 0..<count {
            let thread = Thread { [line] in line.work() }
            thread.name = "queries"
            thread.start()
        }
    }

    deinit { line.end(threads: count) }

    func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(self, operation: body)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The executor lives as long as it has jobs.
        line.add { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The jobs that wait for a thread, first come, first served.
private final class JobLine: Sendable {
    private let jobs = Locked<[@Sendable () -> Void]>([])
    private let available = DispatchSemaphore(value: 0)

    func add(_ job: @escaping @Sendable () -> Void) {
        jobs.withLock { $0.append(job) }
        available.signal()
    }

    /// Does jobs until the line ends.
    func work() {
        while let job = next() { job() }
    }

    /// Waits for a job. Returns `nil` at the end of the line.
    private func next() -> (@Sendable () -> Void)? {
        available.wait()
        return jobs.withLock { jobs in jobs.isEmpty ? nil : jobs.removeFirst() }
    }

    /// Ends the threads. There are no jobs any more.
    func end(threads: Int) {
        for _ in 0..<threads { available.signal() }
    }
}
