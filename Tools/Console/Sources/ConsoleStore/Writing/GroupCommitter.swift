/// Commits several requests in one transaction, and resumes each when its records are on disk.
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
        let done: CheckedContinuation<Rejection, any Error>
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

    /// Waits until `batch` is committed.
    ///
    /// A cancelled caller still waits, because its records are being written.
    ///
    /// - Returns: The records that contradict stored ones.
    /// - Throws: `StoreError.queueFull` immediately if the queue is full.
    func submit(_ batch: PreparedBatch) async throws -> Rejection {
        let admission = queue.admit(records: batch.recordCount)
        let ticket: Int
        switch admission {
        case .admitted(let number): ticket = number
        case .rejectedFull: throw StoreError.queueFull(waiting: queue.waitingRecords, limit: limit)
        case .rejectedClosed: throw StoreError.closed
        }
        return try await withCheckedThrowingContinuation { continuation in
            requests[ticket] = Request(batch: batch, done: continuation)
            if !queue.isCommitting { Task { await run() } }
        }
    }

    /// Rejects new requests and waits until all accepted requests are on disk.
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
                for (request, rejection) in zip(group, report.rejections) {
                    request.done.resume(returning: rejection)
                }
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
