import ConsoleModel

/// Commits several requests in one transaction, and resumes each when its records are on disk.
///
/// A large request is committed in parts. Each waits behind what arrived during the one before it, so a small request
/// never waits for more than a part of each large one.
actor GroupCommitter {
    typealias Commit = @Sendable ([BatchPart]) async throws -> CommitReport

    private var queue: WriteQueue
    private var requests: [Int: Request] = [:]
    private let limits: StoreConfiguration.Limits
    private let commit: Commit
    private let committed: @Sendable (CommitReport) async -> Void
    private var drained: [CheckedContinuation<Void, Never>] = []

    private struct Request {
        let part: BatchPart
        let done: CheckedContinuation<Rejection, any Error>
    }

    init(
        limits: StoreConfiguration.Limits, commit: @escaping Commit,
        committed: @escaping @Sendable (CommitReport) async -> Void,
    ) {
        queue = WriteQueue(limits: limits)
        self.limits = limits
        self.commit = commit
        self.committed = committed
    }

    /// The number of records that wait or are being committed.
    var waitingRecords: Int { queue.waitingRecords }

    /// Waits until `batch` is committed.
    ///
    /// A cancelled caller still waits, because its records are being written.
    ///
    /// - Returns: The records that contradict stored ones.
    /// - Throws: `StoreError.queueFull` immediately if the queue is full. If a later part fails, those before it are
    ///   stored; storing the batch again stores no record twice.
    func submit(_ batch: PreparedBatch) async throws -> Rejection {
        var rejection = Rejection()
        for part in batch.parts(of: limits.recordsPerCommit) {
            let more = try await submit(part)
            if let reason = more.reason { rejection.add(more.count, because: reason) }
        }
        return rejection
    }

    private func submit(_ part: BatchPart) async throws -> Rejection {
        let admission = queue.admit(records: part.rows.count, isRest: part.rows.lowerBound > 0)
        let ticket: Int
        switch admission {
        case .admitted(let number): ticket = number
        case .rejectedFull: throw StoreError.queueFull(waiting: queue.waitingRecords, limit: limits.waitingRecords)
        case .rejectedClosed: throw StoreError.closed
        }
        return try await withCheckedThrowingContinuation { continuation in
            requests[ticket] = Request(part: part, done: continuation)
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
                let report = try await commit(group.map(\.part))
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
