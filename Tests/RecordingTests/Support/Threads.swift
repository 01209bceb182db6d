import AstrolabePlatform
import Foundation

/// Runs `body` on that many threads at once, all let go together, and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
    let ready = DispatchSemaphore(value: 0)
    let start = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    for index in 0..<count {
        let thread = Thread {
            ready.signal()
            start.wait()
            body(index)
            done.signal()
        }
        thread.start()
    }
    for _ in 0..<count { ready.wait() }
    for _ in 0..<count { start.signal() }
    for _ in 0..<count { done.wait() }
}

/// Runs `body` on one thread of its own, outside of any task, and hands back what it returns.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
    let result = Locked<Result?>(nil)
    onThreads(1) { _ in
        let value = body()
        result.withLock { $0 = value }
    }
    return result.withLock { $0 }
}
