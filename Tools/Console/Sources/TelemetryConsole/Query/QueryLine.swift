/// Which queries run and which wait for a turn, first come, first served. `QueryTurns` drives it.
struct QueryLine: Sendable {
    struct Limits: Sendable {
        /// The largest number of queries that are answered at the same time.
        var running = 4
        /// The largest number of queries that wait.
        var waiting = 32
        /// The longest time that a query waits.
        var patience: Duration = .seconds(10)
    }

    enum Admission: Sendable, Hashable {
        case runs
        case waits(ticket: Int)
        case refused
    }

    let limits: Limits
    private var running = 0
    private var waiting: [Int] = []
    private var nextTicket = 0

    init(limits: Limits) {
        self.limits = limits
    }

    mutating func enter() -> Admission {
        if running < limits.running {
            running += 1
            return .runs
        }
        guard waiting.count < limits.waiting else { return .refused }
        defer { nextTicket += 1 }
        waiting.append(nextTicket)
        return .waits(ticket: nextTicket)
    }

    /// Ends a query that runs. Returns the ticket of the one that takes its place.
    mutating func leave() -> Int? {
        if waiting.isEmpty {
            running -= 1
            return nil
        }
        return waiting.removeFirst()
    }

    /// Ends the wait for a turn. Returns `false` if the turn came already.
    mutating func giveUp(_ ticket: Int) -> Bool {
        guard let index = waiting.firstIndex(of: ticket) else { return false }
        waiting.remove(at: index)
        return true
    }
}
