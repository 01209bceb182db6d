import NIOCore

/// The open connections of a server, as a value, and the decision which ones to close if there are too many.
///
/// A connection that has been idle for the longest time is closed first, then one whose request has been arriving for
/// the longest time. A connection whose request is complete, or that has just changed, is never closed. So clients that
/// hold connections lose them to clients that use them.
struct ConnectionRoster: Sendable {
    /// The activity of a connection, in the order in which connections are closed.
    enum Activity: Int, Sendable {
        /// No request is under way.
        case idle
        /// A request is arriving.
        case receiving
        /// A request is complete, and its response is not.
        case responding
    }

    private struct Entry {
        let peer: String
        var activity = Activity.idle
        var since: NIODeadline
    }

    private let limits: ConnectionLimits
    private var entries: [Int: Entry] = [:]
    private var peers: [String: Int] = [:]
    private var last = 0

    init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    mutating func open(from peer: String, now: NIODeadline) -> Int {
        last += 1
        entries[last] = Entry(peer: peer, since: now)
        peers[peer, default: 0] += 1
        return last
    }

    mutating func change(_ id: Int, to activity: Activity, now: NIODeadline) {
        entries[id]?.activity = activity
        entries[id]?.since = now
    }

    mutating func close(_ id: Int) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        let rest = peers[entry.peer, default: 1] - 1
        peers[entry.peer] = rest > 0 ? rest : nil
    }

    var isOverLimit: Bool { entries.count > limits.total || peers.values.contains { $0 > limits.perPeer } }

    /// Removes the connections to close, and returns them.
    mutating func trim(now: NIODeadline) -> [Int] {
        guard isOverLimit else { return [] }
        let candidates = entries.filter { entry in
            entry.value.activity != .responding && now - entry.value.since >= ConnectionLimits.shortestStay
        }.sorted { ($0.value.activity.rawValue, $0.value.since) < ($1.value.activity.rawValue, $1.value.since) }
        var closed: [Int] = []
        for (id, entry) in candidates
        where peers[entry.peer, default: 0] > limits.perPeer || entries.count > limits.total {
            close(id)
            closed.append(id)
        }
        return closed
    }
}
