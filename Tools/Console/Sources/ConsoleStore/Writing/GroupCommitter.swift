/// Lets many requests share a transaction, and tells each when its records are on disk.
actor GroupCommitter {
    typealias Commit = @Sendable ([PreparedBatch]) async throws -> CommitReport

    private var queue: WriteQueue
    private var requests: [Int: Request] = [:]
    private let limit: Int
    private let commit: Commit
    private let committed: @Sendable (CommitReport) async -> Void
    private var drained: [CheckedContinuation<Void, Never>] = []

    private struct Request {
        let batch: PreparedBatch
        let done: CheckedContinuation<Void, any Error>
    }

    init(
        limits: StoreConfiguration.Limits, commit: @escaping Commit,
        committed: @escaping @Sendable (CommitReport) async -> Void,
    ) {
        queue = WriteQueue(limits: limits)
        limit = limits.waitingRecords
        self.commit = commit
        self.committed = committed
    }

    /// Returns when `batch` is committed. Throws `StoreError.queueFull` at once where too much waits.
    ///
    /// A caller that is cancelled still waits: its records are on their way to the disk.
    func submit(_ batch: PreparedBatch) async throws {
        let admission = queue.admit(records: batch.recordCount)
        let ticket: Int
        switch admission {
        case .admitted(let number): ticket = number
        case .rejectedFull: throw StoreError.queueFull(waiting: queue.waitingRecords, limit: limit)
        case .rejectedClosed: throw StoreError.closed
        }
        try await withCheckedThrowingContinuation { continuation in
            requests[ticket] = Request(batch: batch, done: continuation)
            if !queue.isCommitting { Task { await run() } }
        }
    }

    /// Refuses what comes from now on and returns when all that was admitted is on disk.
    func close() async {
        queue.close()
        guard queue.waitingRecords > 0 || queue.isCommitting else { return }
        await withCheckedContinuation { drained.append($0) }
    }

    private func run() async {
        while true {
            let entries = queue.beginCommit()
            guard !entries.isEmpty else { break }
            let group = entries.compactMap { requests.removeValue(forKey: $0.ticket) }
            do {
                let report = try await commit(group.map(\.batch))
                queue.endCommit(entries)
                for request in group { request.done.resume() }
                await committed(report)
            } catch {
                queue.endCommit(entries)
                for request in group { request.done.resume(throwing: error) }
            }
        }
        if !queue.isCommitting, queue.waitingRecords == 0 {
            for continuation in drained { continuation.resume() }
            drained = []
        }
    }
}
