import AstrolabePlatform
import Dispatch
import Foundation

/// Lines that wait to be written, in order and up to a bound.
final class LinkOutbox: Sendable {
    private struct State {
        var lines: [Data] = []
        /// Of all that is not written yet, the line under way included.
        var bytes = 0
        /// By the steady clock in nanoseconds; set when nothing more is taken.
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

    /// - Returns: False where there is no room for it, or nobody who would write it.
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

    /// Waits for lines; nil where there will be none.
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

    /// Takes no more, and gives what waits this many seconds.
    func close(within seconds: Double) {
        state.withLock { state in
            state.deadline = state.deadline ?? SystemTime.sinceBoot + UInt64(nanosecondsIn: seconds)
        }
        news.signal()
    }

    var isTooLate: Bool {
        state.withLock { $0.isOver || $0.deadline.map { $0 <= SystemTime.sinceBoot } ?? false }
    }

    /// Forgets what waits.
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

    /// Returns when fewer bytes than that wait, or nothing will be written any more.
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
