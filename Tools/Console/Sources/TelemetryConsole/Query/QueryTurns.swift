/// Lets a few queries run at the same time, and others wait for a moment.
actor QueryTurns {
    private var line: QueryLine
    private var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]

    var waitingCount: Int { waiting.count }

    init(_ limits: QueryLine.Limits) {
        line = QueryLine(limits: limits)
    }

    /// Runs `body` as soon as it is its turn.
    ///
    /// - Throws: `QuerySource.Busy` if too many wait already or the wait is too long, `CancellationError`, or what
    ///   `body` throws.
    func take<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        switch line.enter() {
        case .runs: break
        case .refused: throw QuerySource.Busy()
        case .waits(let ticket): try await wait(ticket)
        }
        defer { if let next = line.leave() { waiting.removeValue(forKey: next)?.resume() } }
        return try await body()
    }

    private func wait(_ ticket: Int) async throws {
        let patience = line.limits.patience
        let timer = Task {
            try await Task.sleep(for: patience)
            giveUp(ticket, QuerySource.Busy())
        }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting[ticket] = continuation
                if Task.isCancelled { giveUp(ticket, CancellationError()) }
            }
        } onCancel: {
            Task { await giveUp(ticket, CancellationError()) }
        }
    }

    private func giveUp(_ ticket: Int, _ error: any Error) {
        if line.giveUp(ticket) { waiting.removeValue(forKey: ticket)?.resume(throwing: error) }
    }
}
