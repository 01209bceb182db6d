import Dispatch

/// Runs the delivery service on a dispatch queue of its own.
///
/// SQLite synchronizes the disk and waits for other processes. That would occupy one of the few threads of the
/// concurrency pool, which belong to the app.
final class DeliveryExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "astrolabe.delivery", qos: .utility)

    #if canImport(Darwin)
    // `ExecutorJob` needs iOS 17.
    func enqueue(_ job: UnownedJob) {
        run(job)
    }
    #else
    func enqueue(_ job: consuming ExecutorJob) {
        run(UnownedJob(job))
    }
    #endif

    private func run(_ job: UnownedJob) {
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}
