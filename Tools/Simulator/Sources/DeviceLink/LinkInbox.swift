import AstrolabePlatform
import Dispatch

/// A bounded queue of received messages. If it is full, the reading thread waits, and so does the sender on the
/// other side of the socket.
final class LinkInbox<Message: Sendable>: Sendable {
    /// The number of queued bytes at which reading stops.
    private static var limit: Int { 1 << 20 }

    private struct State {
        var waiting: [(message: Message, bytes: Int)] = []
        var bytes = 0
        var taker: CheckedContinuation<Message?, Never>?
        /// True if the reading thread waits for room.
        var isBlocked = false
        var isOver = false
    }

    private enum Placement {
        case kept
        case handed(CheckedContinuation<Message?, Never>)
        case noRoom
    }

    private let state = Locked(State())
    private let room = DispatchSemaphore(value: 0)

    /// Appends a message, after waiting for room. Ignores it after the end.
    func put(_ message: Message, bytes: Int) {
        while true {
            let placement = state.withLock { state -> Placement in
                if state.isOver { return .kept }
                if let taker = state.taker {
                    state.taker = nil
                    return .handed(taker)
                }
                guard state.bytes < Self.limit else {
                    state.isBlocked = true
                    return .noRoom
                }
                state.waiting.append((message, bytes))
                state.bytes += bytes
                return .kept
            }
            switch placement {
            case .kept: return
            case .handed(let taker): return taker.resume(returning: message)
            case .noRoom: room.wait()
            }
        }
    }

    /// Stops accepting messages, because the reader has ended.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Returns the next message, or `nil` after the last.
    func take() async -> Message? {
        await withCheckedContinuation { continuation in
            let (answer, replaced, makesRoom) = state.withLock {
                state -> (Message??, CheckedContinuation<Message?, Never>?, Bool) in
                if !state.waiting.isEmpty {
                    let next = state.waiting.removeFirst()
                    state.bytes -= next.bytes
                    defer { state.isBlocked = false }
                    return (.some(next.message), nil, state.isBlocked)
                }
                if state.isOver { return (.some(nil), nil, false) }
                defer { state.taker = continuation }
                return (nil, state.taker, false)
            }
            replaced?.resume(returning: nil)
            if makesRoom { room.signal() }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Marks the end: no more messages arrive, but the queued ones can still be read.
    func finish() {
        let taker = state.withLock { state in
            state.isOver = true
            defer { state.taker = nil }
            return state.taker
        }
        taker?.resume(returning: nil)
        room.signal()
    }
}
