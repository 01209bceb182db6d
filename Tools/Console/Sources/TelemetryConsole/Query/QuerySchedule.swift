import Foundation

/// Decides which query takes the next turn. `QueryScheduler` drives it.
///
/// 1. Of the classes with a query that waits, the one that has had the least time for its weight comes first.
/// 2. In it, the viewer comes first who has used the least time lately.
/// 3. Of that viewer's queries, the one comes first that has used the least time. Those with about the same time
///    follow each other in the order in which they were asked.
///
/// So a query that needs little overtakes all that need much, also its own viewer's.
struct QuerySchedule: Sendable {
    typealias Instant = ContinuousClock.Instant

    struct Limits: Sendable {
        /// The largest number of turns at the same time. The default is one more than there are processors.
        var running = ProcessInfo.processInfo.activeProcessorCount + 1
        /// The same of one viewer. The default leaves a thread to the others.
        var runningOfViewer = ProcessInfo.processInfo.activeProcessorCount
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

        /// Rises by one whenever the time doubles, from 100 ms on.
        var level: Int {
            let times: Double = used / .milliseconds(100)
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
    }

    let limits: Limits
    private var queries: [Int: Query] = [:]
    private var viewers: [String: Viewer] = [:]
    private var shares: [QueryClass: Share] = [:]
    /// The class time of the last turn that was given. A class that had no query does not catch up on more.
    private var classTime = 0.0
    private var waiting: [Waiting] = []
    private var running = 0
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
        guard running < limits.running else { return nil }
        var best: (index: Int, rank: Rank)?
        for index in waiting.indices {
            guard let rank = rank(of: waiting[index], at: now) else { continue }
            if let best, !rank.isBefore(best.rank) { continue }
            best = (index, rank)
        }
        guard let first = best else { return nil }
        let turn = waiting.remove(at: first.index)
        guard let asker = queries[turn.query]?.asker else { return nil }
        running += 1
        viewers[asker.viewer]?.running += 1
        shares[asker.kind, default: Share()].running += 1
        classTime = max(classTime, first.rank.classTime)
        return turn.ticket
    }

    private struct Rank {
        let classTime: Double
        let weight: Double
        let viewerTime: Double
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
            viewerTime: viewer.used(at: now, limits.halfLife), level: query.level, query: turn.query, )
    }

    /// Ends a turn of a query.
    ///
    /// - Parameter time: What the turn has used.
    mutating func end(_ query: Int, after time: Duration, at now: Instant) {
        guard let asker = queries[query]?.asker else { return }
        let seconds: Double = time / .seconds(1)
        running -= 1
        queries[query]?.used += time
        shares[asker.kind, default: Share()].running -= 1
        shares[asker.kind, default: Share()].time += seconds / asker.kind.weight
        guard var viewer = viewers[asker.viewer] else { return }
        viewer.running -= 1
        viewer.seconds = viewer.used(at: now, limits.halfLife) + seconds
        viewer.moment = now
        viewers[asker.viewer] = viewer
    }
}
