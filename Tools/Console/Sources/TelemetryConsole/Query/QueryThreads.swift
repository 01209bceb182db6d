import Dispatch

/// Threads for the work from which queries and issues are answered, such as the columns of records and symbols. So that
/// work never takes the threads that receive telemetry and answer requests.
enum QueryThreads {
    private static let executor = QueueExecutor("astrolabe.console.queries", qos: .utility)

    static func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(executor, operation: body)
    }

    /// Starts `body` when another task has ended, with or without a result.
    static func start<Value: Sendable>(
        after previous: Task<Value, any Error>?, _ body: @escaping @Sendable () async throws -> Value,
    ) -> Task<Value, any Error> {
        Task {
            _ = await previous?.result
            return try await run(body)
        }
    }
}

/// Runs tasks on a concurrent queue, apart from Swift's own threads.
final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue

    /// - Parameter qos: Queues of one quality share their threads, of which there is one for each core.
    init(_ label: String, qos: DispatchQoS) {
        queue = DispatchQueue(label: label, qos: qos, attributes: .concurrent)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
