/// The tasks and calls that wait for moments of a ``TestClock``: its state, as a value that resumes no task itself.
struct Timeline {
    struct Waiter: Sendable {
        let number: UInt64
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// The effect of a deadline that has come.
    enum Due: Sendable {
        case wakeUp(Waiter)
        case perform(@Sendable () -> Void)

        func run() {
            switch self {
            case .wakeUp(let waiter): waiter.continuation.resume()
            case .perform(let action): action()
            }
        }
    }

    private struct Entry {
        let number: UInt64
        let deadline: TestClock.Instant
        let due: Due
    }

    private(set) var now = TestClock.Instant()
    private(set) var sleeperCount = 0
    private var count: UInt64 = 0
    /// The next one last; at one deadline the one that came first.
    private var entries: [Entry] = []
    private var watchers: [(waiter: Waiter, sleepers: Int)] = []

    var nextDeadline: TestClock.Instant? { entries.last?.deadline }

    mutating func makeNumber() -> UInt64 {
        count += 1
        return count
    }

    /// Returns those who are to be resumed: the sleeper itself, or who watched for it to sleep.
    mutating func sleep(_ sleeper: Waiter, until deadline: TestClock.Instant) -> [Waiter] {
        if deadline <= now { return [sleeper] }
        insert(Entry(number: sleeper.number, deadline: deadline, due: .wakeUp(sleeper)))
        sleeperCount += 1
        let satisfied = watchers.filter { $0.sleepers <= sleeperCount }.map(\.waiter)
        watchers.removeAll { $0.sleepers <= sleeperCount }
        return satisfied
    }

    /// Returns the watcher where it need not wait.
    mutating func watch(_ watcher: Waiter, forSleepers sleepers: Int) -> [Waiter] {
        if sleepers <= sleeperCount { return [watcher] }
        watchers.append((watcher, sleepers))
        return []
    }

    /// Does not keep an action whose moment is not in the future.
    mutating func schedule(
        _ action: @escaping @Sendable () -> Void, at deadline: TestClock.Instant,
    ) -> (number: UInt64, isDue: Bool) {
        let number = makeNumber()
        if deadline <= now { return (number, true) }
        insert(Entry(number: number, deadline: deadline, due: .perform(action)))
        return (number, false)
    }

    /// Moves to the next deadline and takes what is due, or moves to the target if no deadline comes before it.
    mutating func takeNext(until target: TestClock.Instant) -> Due? {
        guard let next = entries.last, next.deadline <= target else {
            now = max(now, target)
            return nil
        }
        entries.removeLast()
        now = max(now, next.deadline)
        if case .wakeUp = next.due { sleeperCount -= 1 }
        return next.due
    }

    /// Forgets a sleeper, a watcher or an action; returns the one whose continuation is to be resumed now.
    mutating func remove(_ number: UInt64) -> Waiter? {
        if let index = watchers.firstIndex(where: { $0.waiter.number == number }) {
            return watchers.remove(at: index).waiter
        }
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return nil }
        guard case .wakeUp(let sleeper) = entries.remove(at: index).due else { return nil }
        sleeperCount -= 1
        return sleeper
    }

    /// Keeps the entries in order by a binary search.
    private mutating func insert(_ entry: Entry) {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            let other = entries[middle]
            if (other.deadline, other.number) > (entry.deadline, entry.number) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        entries.insert(entry, at: low)
    }
}
