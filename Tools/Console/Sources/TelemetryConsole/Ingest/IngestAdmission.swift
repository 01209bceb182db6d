import ConsoleModel
import Dispatch

/// Lets a few heavy requests run at the same time, on other threads than light ones, and others wait for a moment.
actor IngestAdmission {
    private var line: IngestQueue
    private var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]

    var waitingCount: Int { line.waitingCount }

    init(_ limits: IngestQueue.Limits) {
        line = IngestQueue(limits: limits)
    }

    /// Runs `body` as soon as it is the sender's turn.
    ///
    /// - Throws: `tooMuchWork` if too many wait already or the wait is too long, or what `body` throws.
    func take<Value: Sendable>(
        _ sender: String, _ body: @Sendable () async throws(IngestFailure) -> Value,
    ) async throws(IngestFailure) -> Value {
        switch line.enter(sender) {
        case .runs: break
        case .refused: throw .tooMuchWork
        case .waits(let ticket): guard await wait(ticket) else { throw .tooMuchWork }
        }
        let start = ContinuousClock.now
        defer {
            if let next = line.leave(sender, after: ContinuousClock.now - start) {
                waiting.removeValue(forKey: next)?.resume(returning: true)
            }
        }
        do {
            return try await Self.run(body)
        } catch let failure as IngestFailure {
            throw failure
        } catch {
            throw .store(.failed(detail: "\(error)"))
        }
    }

    /// - Returns: Whether the turn came.
    private func wait(_ ticket: Int) async -> Bool {
        let timeout = line.limits.timeout
        let timer = Task {
            try await Task.sleep(for: timeout)
            giveUp(ticket)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                waiting[ticket] = continuation
                if Task.isCancelled { giveUp(ticket) }
            }
        } onCancel: {
            Task { await giveUp(ticket) }
        }
    }

    private static let executor = QueueExecutor("astrolabe.console.ingest", qos: .userInitiated)

    /// Runs `body` on other threads than those of light requests and of queries.
    private static func run<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(executor, operation: body)
    }

    private func giveUp(_ ticket: Int) {
        if line.giveUp(ticket) { waiting.removeValue(forKey: ticket)?.resume(returning: false) }
    }
}
