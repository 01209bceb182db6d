import ConsoleModel
import Logging

/// Decides whether the console can take requests, for balancers and supervisors.
///
/// However many ask, the store is checked once at a time, and at most once in a second.
actor Readiness {
    typealias Check = @Sendable () async throws(StoreError) -> Void

    static let draining = "stopping: requests that have begun are finished"
    static let overdue = "the store has not answered in time"

    private let check: Check
    private let timeout: Duration
    private let logger: Logger
    private var isDraining = false
    private var isChecking = false
    private var isOverdue = false
    private var last: (obstacle: String?, time: ContinuousClock.Instant)?
    private var waiting: [CheckedContinuation<String?, Never>] = []

    private static let lifetime: Duration = .seconds(1)
    private static let waitingLimit = 64

    /// - Parameter timeout: The time after which the store counts as failing. The default is 3 s.
    init(timeout: Duration = .seconds(3), logger: Logger, check: @escaping Check) {
        self.check = check
        self.timeout = timeout
        self.logger = logger
    }

    /// Makes the console not ready, for good.
    func drain() { isDraining = true }

    /// Returns in one line why the console is not ready; `nil` if it is.
    func obstacle() async -> String? {
        let obstacle = isDraining ? nil : await obstacleOfStore()
        return isDraining ? Self.draining : obstacle
    }

    private func obstacleOfStore() async -> String? {
        if let last, last.time + Self.lifetime > .now { return last.obstacle }
        guard !isOverdue, waiting.count < Self.waitingLimit else { return Self.overdue }
        return await withCheckedContinuation { continuation in
            waiting.append(continuation)
            if !isChecking { start() }
        }
    }

    private func start() {
        isChecking = true
        let timer = Task {
            do { try await Task.sleep(for: timeout) } catch { return }
            expire()
        }
        Task {
            do throws(StoreError) {
                try await check()
                finish(nil)
            } catch {
                logger.error("not ready: \(error)")
                finish(Self.line(error))
            }
            timer.cancel()
        }
    }

    private func finish(_ obstacle: String?) {
        isChecking = false
        isOverdue = false
        last = (obstacle, .now)
        answer(obstacle)
    }

    private func expire() {
        guard isChecking else { return }
        isOverdue = true
        last = nil
        logger.error("not ready: \(Self.overdue)")
        answer(Self.overdue)
    }

    private func answer(_ obstacle: String?) {
        for continuation in waiting { continuation.resume(returning: obstacle) }
        waiting = []
    }

    /// Everyone may ask, so the line names no path and no address. The log has them.
    private static func line(_ error: StoreError) -> String {
        switch error {
        case .diskFull: "the disk of the store is full"
        case .readOnly: "the store cannot be written"
        case .corrupt: "the store is damaged"
        case .moved: "the file of the store was moved or removed"
        default: "the store cannot be read and written; see the log of the console"
        }
    }
}
