import AstrolabePlatform
import Dispatch
import Foundation

/// A bounded FIFO queue of lines to write.
final class LinkOutbox: Sendable {
    private struct State {
        var lines: [Data] = []
        /// The bytes of all lines that are not written yet, including the current one.
        var bytes = 0
        /// When writing must end, in nanoseconds of the steady clock. Set when the queue is closed.
        var deadline: UInt64?
        var isOver = false
        var dropped = 0
        var waiters: [(below: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func satisfied() -> [CheckedContinuation<Void, Never>] {
            let isOver = isOver
            let bytes = bytes
            let satisfied = waiters.filter { isOver || bytes < $0.below }.map(\.continuation)
            waiters.removeAll { isOver || bytes < $0.below }
            return satisfied
        }
    }

    private let limit: Int
    private let state = Locked(State())
    private let news = DispatchSemaphore(value: 0)

    init(limit: Int) {
        self.limit = limit
    }

    var bytes: Int { state.withLock { $0.bytes } }
    var dropped: Int { state.withLock { $0.dropped } }

    /// - Returns: `false` if the queue is full or closed.
    func put(_ line: Data?) -> Bool {
        let isIn = state.withLock { state in
            guard state.deadline == nil, !state.isOver, let line, state.bytes + line.count <= limit else {
                state.dropped += 1
                return false
            }
            state.lines.append(line)
            state.bytes += line.count
            return true
        }
        if isIn { news.signal() }
        return isIn
    }

    /// Waits for lines. Returns `nil` if there will be no more.
    func take() -> [Data]? {
        while true {
            let (lines, isLast) = state.withLock { state in
                defer { state.lines = [] }
                return (state.lines, state.deadline != nil || state.isOver)
            }
            if !lines.isEmpty { return lines }
            if isLast { return nil }
            news.wait()
        }
    }

    func wrote(_ count: Int) {
        let satisfied = state.withLock { state in
            state.bytes = max(state.bytes - count, 0)
            return state.satisfied()
        }
        for waiter in satisfied { waiter.resume() }
    }

    /// Closes the queue, and allows this many seconds for writing the rest.
    func close(within seconds: Double) {
        state.withLock { state in
            state.deadline = state.deadline ?? SystemTime.sinceBoot + UInt64(nanosecondsIn: seconds)
        }
        news.signal()
    }

    var isTooLate: Bool {
        state.withLock { $0.isOver || $0.deadline.map { $0 <= SystemTime.sinceBoot } ?? false }
    }

    /// Removes all lines.
    func end() {
        let satisfied = state.withLock { state in
            state.isOver = true
            state.lines = []
            state.bytes = 0
            return state.satisfied()
        }
        for waiter in satisfied { waiter.resume() }
        news.signal()
    }

    /// Waits until fewer bytes than this are queued, or until writing has ended.
    func fallen(below bytes: Int) async {
        await withCheckedContinuation { continuation in
            let isNow = state.withLock { state in
                if state.isOver || state.bytes < bytes { return true }
                state.waiters.append((bytes, continuation))
                return false
            }
            if isNow { continuation.resume() }
        }
    }
}
