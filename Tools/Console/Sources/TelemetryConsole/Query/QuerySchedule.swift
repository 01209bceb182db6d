import Foundation

/// Decides which query takes the next turn. `QueryScheduler` drives it.
///
/// 1. Of the classes with a query that waits, the one that has had the least time for its weight comes first.
/// 2. In it, the viewer comes first who has used the least time lately.
/// 3. Of that viewer's queries, the one comes first that has used the least time. Those with about the same time
///    follow each other in the order in which they were asked.
///
/// So a query that needs little overtakes all that need much, also its own viewer's. It does not wait for the end of a
/// long turn of another viewer either: see ``interrupt(_:ticket:at:)``.
struct QuerySchedule: Sendable {
    typealias Instant = ContinuousClock.Instant

    struct Limits: Sendable {
        /// The largest number of turns at the same time. The default is one more than there are processors.
        var running = ProcessInfo.processInfo.activeProcessorCount + 1
        /// The same of one viewer. The default leaves a thread to the others.
        var runningOfViewer = ProcessInfo.processInfo.activeProcessorCount
        /// The largest number of turns that are interrupted at the same time. Each of them keeps its thread.
        var interrupted = 16
        /// The processor time after which a turn may be interrupted.
        var slice: Duration = .milliseconds(4)
        /// The largest number of a viewer's queries that run or wait.
        var queriesOfViewer = 64
        /// The memory of all queries together, in bytes, beyond 16 MiB of each. Columns are not part of it.
        var bytes = 1 << 30
        /// The time after which half of what a viewer has used counts.
        var halfLife: Duration = .seconds(10)
    }

    private struct Query {
        let asker: QueryAsker
        var used: Duration = .zero

        /// Rises by one whenever the time doubles, from 25 ms on. 0 is little.
        var level: Int {
            let times: Double = used / .milliseconds(25)
            return Int(log2(max(1, times)))
        }
    }

    private struct Viewer {
        var queries = 0
        var running = 0
        /// The seconds that the viewer had used lately, at `moment`.
        var seconds = 0.0
        var moment: Instant

        func used(at now: Instant, _ halfLife: Duration) -> Double {
            let age: Double = (now - moment) / halfLife
            return seconds * exp2(-max(0, age))
        }
    }

    private struct Share {
        /// The seconds that the class has had, divided by its weight.
        var time = 0.0
        var running = 0
    }

    private struct Waiting {
        let ticket: Int
        let query: Int
        /// True for the rest of a turn that was interrupted.
        var isInterrupted = false
    }

    let limits: Limits
    private var queries: [Int: Query] = [:]
    private var viewers: [String: Viewer] = [:]
    private var shares: [QueryClass: Share] = [:]
    /// The class time of the last turn that was given. A class that had no query does not catch up on more.
    private var classTime = 0.0
    private var waiting: [Waiting] = []
    private var running = 0
    private var interrupted = 0
    private var nextNumber = 0

    init(limits: Limits) {
        self.limits = limits
    }

    /// The number of turns that are waited for.
    var waitingCount: Int { waiting.count }
    /// The number of a viewer's queries that run or wait.
    func queryCount(of viewer: String) -> Int { viewers[viewer]?.queries ?? 0 }

    /// Admits a query. Returns its number, or `nil` if the viewer has too many.
    mutating func open(_ asker: QueryAsker, at now: Instant) -> Int? {
        if viewers.count > 256 {
            viewers = viewers.filter { $0.value.queries > 0 || $0.value.used(at: now, limits.halfLife) > 0.001 }
        }
        var viewer = viewers[asker.viewer] ?? Viewer(moment: now)
        guard viewer.queries < limits.queriesOfViewer else { return nil }
        viewer.queries += 1
        viewers[asker.viewer] = viewer
        defer { nextNumber += 1 }
        queries[nextNumber] = Query(asker: asker)
        return nextNumber
    }

    /// Ends a query that neither runs nor waits.
    mutating func close(_ query: Int) {
        guard let asker = queries.removeValue(forKey: query)?.asker else { return }
        viewers[asker.viewer]?.queries -= 1
    }

    /// Lets a query wait for a turn.
    ///
    /// - Parameter ticket: A number that no other turn has.
    mutating func wait(_ query: Int, ticket: Int) {
        guard let kind = queries[query]?.asker.kind else { return }
        if !isActive(kind) { shares[kind, default: Share()].time = max(shares[kind]?.time ?? 0, classTime) }
        waiting.append(Waiting(ticket: ticket, query: query))
    }

    private func isActive(_ kind: QueryClass) -> Bool {
        shares[kind]?.running ?? 0 > 0 || waiting.contains { queries[$0.query]?.asker.kind == kind }
    }

    /// Ends the wait for a turn. Returns `false` if the turn came already.
    mutating func giveUp(_ ticket: Int) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Gives the next turn. Returns its ticket, or `nil` if none may be given now.
    mutating func next(at now: Instant) -> Int? {
        guard running < limits.running, let first = first(at: now) else { return nil }
        let turn = waiting.remove(at: first.index)
        guard let asker = queries[turn.query]?.asker else { return nil }
        if turn.isInterrupted { interrupted -= 1 }
        running += 1
        viewers[asker.viewer]?.running += 1
        shares[asker.kind, default: Share()].running += 1
        classTime = max(classTime, first.rank.classTime)
        return turn.ticket
    }

    /// Returns who of those that wait comes first; `nil` if none may have a turn.
    private func first(at now: Instant) -> (index: Int, rank: Rank)? {
        var first: (index: Int, rank: Rank)?
        for index in waiting.indices {
            guard let rank = rank(of: waiting[index], at: now) else { continue }
            if let first, !rank.isBefore(first.rank) { continue }
            first = (index, rank)
        }
        return first
    }

    private struct Rank {
        let classTime: Double
        let weight: Double
        let viewerTime: Double
        /// -1 for the rest of a turn, which holds a thread.
        let level: Int
        let query: Int

        func isBefore(_ other: Rank) -> Bool {
            (classTime, -weight, viewerTime, level, query)
                < (other.classTime, -other.weight, other.viewerTime, other.level, other.query)
        }
    }

    /// - Returns: `nil` if the viewer has as many turns as one may have.
    private func rank(of turn: Waiting, at now: Instant) -> Rank? {
        guard let query = queries[turn.query], let viewer = viewers[query.asker.viewer],
            viewer.running < limits.runningOfViewer
        else { return nil }
        return Rank(
            classTime: shares[query.asker.kind]?.time ?? 0, weight: query.asker.kind.weight,
            viewerTime: viewer.used(at: now, limits.halfLife), level: turn.isInterrupted ? -1 : query.level,
            query: turn.query)
    }

    /// Interrupts a turn if the next one is of a query that has used little, whose viewer has used less than half as
    /// much lately.
    ///
    /// The query of the turn may be new: a viewer who asks one heavy query after another has always such a one.
    ///
    /// - Parameter ticket: The number of the rest of the turn. It is waited for, before other turns of its viewer.
    /// - Returns: Whether the turn was interrupted.
    mutating func interrupt(_ query: Int, ticket: Int, at now: Instant) -> Bool {
        guard interrupted < limits.interrupted, let own = queries[query], let viewer = viewers[own.asker.viewer],
            let next = first(at: now)?.rank, next.level == 0,
            next.viewerTime * 2 < viewer.used(at: now, limits.halfLife)
        else { return false }
        leave(own.asker)
        interrupted += 1
        waiting.append(Waiting(ticket: ticket, query: query, isInterrupted: true))
        return true
    }

    /// Ends a turn of a query.
    ///
    /// - Parameter time: What the turn has used since it was charged last.
    mutating func end(_ query: Int, after time: Duration, at now: Instant) {
        charge(query, time, at: now)
        if let asker = queries[query]?.asker { leave(asker) }
    }

    private mutating func leave(_ asker: QueryAsker) {
        running -= 1
        shares[asker.kind, default: Share()].running -= 1
        viewers[asker.viewer]?.running -= 1
    }

    /// Counts time that a turn has used.
    mutating func charge(_ query: Int, _ time: Duration, at now: Instant) {
        guard let asker = queries[query]?.asker else { return }
        let seconds: Double = time / .seconds(1)
        queries[query]?.used += time
        shares[asker.kind, default: Share()].time += seconds / asker.kind.weight
        guard var viewer = viewers[asker.viewer] else { return }
        viewer.seconds = viewer.used(at: now, limits.halfLife) + seconds
        viewer.moment = now
        viewers[asker.viewer] = viewer
    }
}
