import AstrolabePlatform
import Foundation

/// Loops on threads of their own, which block in system calls.
final class BackgroundLoops: Sendable {
    private let isOver = Locked(false)
    private let threads = Locked(0)
    private let failures = Locked<[any Error]>([])
    private let ended = DispatchSemaphore(value: 0)

    /// Runs `body` while the loops go on, and then ends them.
    ///
    /// - Throws: The error of `body`, or else the first one of a loop.
    static func during<Value>(
        _ start: (BackgroundLoops) -> Void, _ body: () throws -> Value,
    ) throws -> Value {
        let loops = BackgroundLoops()
        start(loops)
        let result = Result { try body() }
        loops.end()
        let value = try result.get()
        if let failure = loops.failures.withLock({ $0.first }) { throw failure }
        return value
    }

    /// Starts threads.
    ///
    /// - Parameter body: Receives the number of its thread and whether to go on.
    func start(_ count: Int = 1, _ body: @escaping @Sendable (_ number: Int, _ goesOn: () -> Bool) throws -> Void) {
        for number in 0..<count {
            threads.withLock { $0 += 1 }
            Thread.detachNewThread { [self] in
                do {
                    try body(number) { !isOver.withLock { $0 } }
                } catch {
                    failures.withLock { $0.append(error) }
                }
                ended.signal()
            }
        }
    }

    /// Waits until all loops have ended.
    func end() {
        isOver.withLock { $0 = true }
        for _ in 0..<threads.exchange(0) { ended.wait() }
    }
}
