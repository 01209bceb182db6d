import AstrolabePlatform
import NIOCore

/// The open connections of a running server. Closes those that ``ConnectionRoster`` selects.
final class ConnectionTable: Sendable {
    private struct State {
        var roster: ConnectionRoster
        var channels: [Int: any Channel] = [:]
    }

    private let state: Locked<State>

    init(_ limits: ConnectionLimits) {
        state = Locked(State(roster: ConnectionRoster(limits)))
    }

    /// - Returns: The connection's number, and whether there are more connections than the limits allow.
    func open(_ channel: any Channel, now: NIODeadline) -> (id: Int, isOverLimit: Bool) {
        let peer = channel.remoteAddress?.ipAddress ?? ""
        return state.withLock { state in
            let id = state.roster.open(from: peer, now: now)
            state.channels[id] = channel
            return (id, state.roster.isOverLimit)
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

    /// Closes connections until the limits are met, if enough of them may be closed.
    func trim(now: NIODeadline) {
        let closed = state.withLock { state in
            state.roster.trim(now: now).compactMap { state.channels.removeValue(forKey: $0) }
        }
        for channel in closed { channel.close(promise: nil) }
    }
}
