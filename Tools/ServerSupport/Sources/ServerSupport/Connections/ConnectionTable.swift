import AstrolabePlatform
import NIOCore

/// The open connections of a running server. Closes those that ``ConnectionRoster`` selects.
package final class ConnectionTable: Sendable {
    private struct State {
        var roster: ConnectionRoster
        var channels: [Int: any Channel] = [:]
        var isClosed = false
    }

    package let limits: ConnectionLimits
    private let state: Locked<State>

    package init(_ limits: ConnectionLimits) {
        self.limits = limits
        state = Locked(State(roster: ConnectionRoster(limits)))
    }

    /// Adds a connection, and closes others if there are too many.
    ///
    /// - Returns: The connection's number.
    func admit(_ channel: any Channel) -> Int {
        let eventLoop = channel.eventLoop
        let (id, isOverLimit, isClosed) = open(channel, now: eventLoop.now)
        if isClosed {
            channel.close(promise: nil)
        } else if isOverLimit {
            trim(now: eventLoop.now)
            // By then the connections that were too new to be closed have used their time, or have not.
            eventLoop.scheduleTask(in: ConnectionLimits.shortestStay) { self.trim(now: eventLoop.now) }
        }
        return id
    }

    private func open(_ channel: any Channel, now: NIODeadline) -> (id: Int, isOverLimit: Bool, isClosed: Bool) {
        let peer = channel.remoteAddress?.ipAddress ?? ""
        return state.withLock { state in
            let id = state.roster.open(from: peer, now: now)
            state.channels[id] = channel
            return (id, state.roster.isOverLimit, state.isClosed)
        }
    }

    func change(_ id: Int, to activity: ConnectionRoster.Activity, now: NIODeadline) {
        state.withLock { $0.roster.change(id, to: activity, now: now) }
    }

    func close(_ id: Int) {
        state.withLock { state in
            state.roster.close(id)
            state.channels[id] = nil
        }
    }

    /// Closes all connections at once, and every further one.
    package func closeAll() {
        let channels = state.withLock { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Closes connections until the limits are met, if enough of them may be closed.
    private func trim(now: NIODeadline) {
        let closed = state.withLock { state in
            state.roster.trim(now: now).compactMap { state.channels.removeValue(forKey: $0) }
        }
        for channel in closed { channel.close(promise: nil) }
    }
}
