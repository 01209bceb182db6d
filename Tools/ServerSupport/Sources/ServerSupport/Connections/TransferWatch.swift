import NIOCore

/// Decides when a client is too slow, as a value that ``ConnectionGuard`` drives.
struct TransferWatch {
    private enum State {
        /// No request has arrived yet.
        case new(deadline: NIODeadline)
        /// Between two requests, or while a response is written. The server's idle timeout applies.
        case quiet
        case receiving(windowEnd: NIODeadline, windowBytes: Int, deadline: NIODeadline)
        /// The response is written, and the rest of the request is discarded.
        case draining(bytes: Int, deadline: NIODeadline)
    }

    private let limits: ConnectionLimits
    private var state: State

    init(_ limits: ConnectionLimits, now: NIODeadline) {
        self.limits = limits
        state = .new(deadline: now + limits.firstRequestTime)
    }

    mutating func begin(now: NIODeadline) {
        state = .receiving(windowEnd: now + limits.bodyWindow, windowBytes: 0, deadline: now + limits.bodyTime)
    }

    /// - Returns: Whether the client has sent too much of a request that is discarded.
    mutating func receive(_ bytes: Int) -> Bool {
        switch state {
        case .receiving(let windowEnd, let windowBytes, let deadline):
            state = .receiving(windowEnd: windowEnd, windowBytes: windowBytes + bytes, deadline: deadline)
            return false
        case .draining(let drained, let deadline):
            state = .draining(bytes: drained + bytes, deadline: deadline)
            return drained + bytes > limits.drainBytes
        case .new, .quiet: return false
        }
    }

    mutating func end() {
        state = .quiet
    }

    mutating func drain(now: NIODeadline) {
        state = .draining(bytes: 0, deadline: now + limits.drainTime)
    }

    /// The time of the next check; `nil` if there is nothing to check.
    var nextCheck: NIODeadline? {
        switch state {
        case .new(let deadline), .draining(_, let deadline): deadline
        case .receiving(let windowEnd, _, let deadline): min(windowEnd, deadline)
        case .quiet: nil
        }
    }

    /// Returns whether the client is too slow, and starts the next window if it is not.
    mutating func isOverdue(now: NIODeadline) -> Bool {
        switch state {
        case .new(let deadline), .draining(_, let deadline): return now >= deadline
        case .receiving(let windowEnd, let windowBytes, let deadline):
            if now >= deadline { return true }
            guard now >= windowEnd else { return false }
            if windowBytes < limits.bodyWindowBytes { return true }
            state = .receiving(windowEnd: now + limits.bodyWindow, windowBytes: 0, deadline: deadline)
            return false
        case .quiet: return false
        }
    }
}
