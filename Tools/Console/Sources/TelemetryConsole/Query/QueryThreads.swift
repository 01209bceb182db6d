import Dispatch

/// Threads for queries alone, so that queries never take the threads that receive telemetry and answer requests.
enum QueryThreads {
    static func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(QueryExecutor.shared, operation: body)
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

private final class QueryExecutor: TaskExecutor {
    static let shared = QueryExecutor()

    private let queue = DispatchQueue(label: "astrolabe.console.queries", qos: .utility, attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
