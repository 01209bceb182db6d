import AstrolabePlatform
import Dispatch
import Foundation
import ServerSupport
import TelemetryQuery

/// Runs all queries of a console in turns on a bounded number of threads. `QuerySchedule` decides who is next.
///
///     try await scheduler.run(limit: .seconds(30)) { turns in try await turns.take { _ in … } }
final class QueryScheduler: Sendable {
    private struct State {
        var schedule: QuerySchedule
        var waiting: [Int: Waiter] = [:]
        var nextTicket = 0
    }

    /// A query that waits for a turn, or for the rest of one.
    private enum Waiter: Sendable {
        case task(CheckedContinuation<Void, any Error>)
        case thread(DispatchSemaphore)

        func goOn() {
            switch self {
            case .task(let continuation): continuation.resume()
            case .thread(let rest): rest.signal()
            }
        }
    }

    fileprivate let limits: QuerySchedule.Limits
    private let state: Locked<State>
    private let memory: MemoryAllowance
    private let threads: TurnThreads
    fileprivate let threadTime: @Sendable () -> Duration

    /// - Parameter threadTime: Returns the processor time that the calling thread has used.
    init(
        _ limits: QuerySchedule.Limits,
        threadTime: @escaping @Sendable () -> Duration = { .nanoseconds(ThreadCPUClock.ofCurrentThread) },
    ) {
        self.limits = limits
        self.threadTime = threadTime
        state = Locked(State(schedule: QuerySchedule(limits: limits)))
        memory = MemoryAllowance(bytes: limits.bytes)
        // One more for what queries do between their turns.
        threads = TurnThreads(count: limits.running + 1)
    }

    /// The number of turns that are waited for.
    var waitingCount: Int { state.withLock { $0.schedule.waitingCount } }
    /// The number of a viewer's queries that run or wait.
    func queryCount(of viewer: String) -> Int { state.withLock { $0.schedule.queryCount(of: viewer) } }

    /// Runs a query of the current task's asker on the threads of queries.
    ///
    /// - Parameters:
    ///   - limit: The processor time that the query may use.
    ///   - body: It does its work in the turns that it gets.
    /// - Throws: `QueryRefusal` if the asker has too many queries, or what `body` throws.
    func run<Value: Sendable>(
        limit: Duration, _ body: @Sendable (ScheduledAdmission) async throws -> Value,
    ) async throws -> Value {
        let asker = QueryAsker.current
        guard let query = state.withLock({ $0.schedule.open(asker, at: .now) }) else {
            throw QueryRefusal.tooMany(limit: limits.queriesOfViewer)
        }
        defer { state.withLock { $0.schedule.close(query) } }
        let held = ScheduledAdmission.Memory(memory.hold(), limit: limits.bytes)
        let turns = ScheduledAdmission(query, of: self, limit: limit, held)
        return try await threads.run { try await body(turns) }
    }

    /// Waits until a query may take a turn.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    fileprivate func begin(_ query: Int) async throws {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                state.withLock { state in
                    state.schedule.wait(query, ticket: ticket)
                    state.waiting[ticket] = .task(continuation)
                }
                if Task.isCancelled { giveUp(ticket) }
                advance()
            }
        } onCancel: {
            giveUp(ticket)
        }
    }

    fileprivate func end(_ query: Int, after time: Duration) {
        state.withLock { $0.schedule.end(query, after: time, at: .now) }
        advance()
    }

    /// Counts what a turn has used, and lets a query go first that needs little. Returns when the turn goes on.
    ///
    /// It blocks the thread, which is one of the queries' own.
    fileprivate func giveWay(_ query: Int, after time: Duration) {
        let rest = state.withLock { state -> DispatchSemaphore? in
            state.schedule.charge(query, time, at: .now)
            state.nextTicket += 1
            let ticket = state.nextTicket
            guard state.schedule.interrupt(query, ticket: ticket, at: .now) else { return nil }
            let rest = DispatchSemaphore(value: 0)
            state.waiting[ticket] = .thread(rest)
            return rest
        }
        guard let rest else { return }
        advance()
        threads.wait(for: rest)
    }

    private func advance() {
        let next = state.withLock { state in
            var next: [Waiter] = []
            while let ticket = state.schedule.next(at: .now) {
                if let waiter = state.waiting.removeValue(forKey: ticket) { next.append(waiter) }
            }
            return next
        }
        for waiter in next { waiter.goOn() }
    }

    private func giveUp(_ ticket: Int) {
        let waiter = state.withLock { state in
            state.schedule.giveUp(ticket) ? state.waiting.removeValue(forKey: ticket) : nil
        }
        if case .task(let continuation)? = waiter { continuation.resume(throwing: CancellationError()) }
    }
}

/// The turns of one query among all of a console.
final class ScheduledAdmission: QueryAdmission {
    /// The memory that a query holds until it ends.
    final class Memory: Sendable {
        /// The memory that each query may hold without a question, in bytes.
        static let free = 16 << 20

        private let hold: MemoryAllowance.Hold
        private let limit: Int
        private let held = Locked(0)

        init(_ hold: MemoryAllowance.Hold, limit: Int) {
            self.hold = hold
            self.limit = limit
        }

        func grow(to bytes: Int) throws(QueryRefusal) {
            let growth = held.withLock { held in
                let growth = max(0, bytes - Self.free - held)
                held += growth
                return growth
            }
            guard growth == 0 || hold.grow(by: growth) else { throw .tooLittleMemory(limit: limit) }
        }
    }

    private let query: Int
    private let scheduler: QueryScheduler
    private let limit: Duration
    private let memory: Memory
    /// The processor time of the turns that have ended, and of the slices of the others.
    private let used = Locked(Duration.zero)

    fileprivate init(_ query: Int, of scheduler: QueryScheduler, limit: Duration, _ memory: Memory) {
        self.query = query
        self.scheduler = scheduler
        self.limit = limit
        self.memory = memory
    }

    func take<Value>(_ work: (_ isOver: @escaping () -> Bool) throws -> Value) async throws -> Value {
        try check()
        try await scheduler.begin(query)
        let turn = Turn(of: self)
        let result = Result<Value, any Error> { try work { turn.isOver() } }
        turn.end()
        // Work that ended early has a wrong result.
        try check()
        return try result.get()
    }

    /// Takes a turn for work of another process, which costs its time.
    func wait<Value: Sendable>(for work: @Sendable () async throws -> Value) async throws -> Value {
        try await scheduler.begin(query)
        let start = ContinuousClock.now
        defer { scheduler.end(query, after: ContinuousClock.now - start) }
        return try await work()
    }

    func hold(_ bytes: Int) throws { try memory.grow(to: bytes) }

    private func check() throws {
        try Task.checkCancellation()
        if isSpent(and: .zero) { throw QueryError.tooLong(limit) }
    }

    private func isSpent(and more: Duration) -> Bool { used.withLock { $0 } + more >= limit }

    /// A turn that has begun, on the thread that does its work.
    private final class Turn {
        private let admission: ScheduledAdmission
        /// The processor time of the thread at which the turn began, or was charged last.
        private var start: Duration

        init(of admission: ScheduledAdmission) {
            self.admission = admission
            start = admission.scheduler.threadTime()
        }

        /// Says whether the query has to end. After a slice, others may go first meanwhile.
        func isOver() -> Bool {
            let scheduler = admission.scheduler
            let time = scheduler.threadTime() - start
            guard time >= scheduler.limits.slice else { return Task.isCancelled || admission.isSpent(and: time) }
            admission.used.withLock { $0 += time }
            scheduler.giveWay(admission.query, after: time)
            start = scheduler.threadTime()
            return Task.isCancelled || admission.isSpent(and: .zero)
        }

        func end() {
            let time = admission.scheduler.threadTime() - start
            admission.used.withLock { $0 += time }
            admission.scheduler.end(admission.query, after: time)
        }
    }
}
