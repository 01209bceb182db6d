import AstrolabePlatform
import AstrolabeRecording
import Dispatch

/// Passes activities on to tasks and to the blocks of dispatch queues, as Apple's systems do. Linux has none.
enum PassedActivities {
    /// The activities of one task or thread, the innermost last.
    private final class Stack: Sendable {
        private let activities: Locked<[UInt64]>

        init(_ inherited: [UInt64]) { activities = Locked(inherited) }

        var all: [UInt64] { activities.withLock { $0 } }
        func enter(_ activity: UInt64) { activities.withLock { $0.append(activity) } }

        /// Out of order, the system does nothing.
        func leave(_ activity: UInt64) {
            activities.withLock { if $0.last == activity { $0.removeLast() } }
        }
    }

    @TaskLocal private static var stack: Stack?
    private static let last = Locked<UInt64>(0)
    private static var current: [UInt64] { stack?.all ?? [] }

    /// Puts them to use in this process.
    static func install() {
        Activities.install(
            Activities(
                position: {
                    let all = current
                    return Activities.Position(activity: all.last ?? 0, enclosing: all.dropLast().last ?? 0)
                },
                enter: {
                    guard let stack else { return Activities.Entered(activity: 0) {} }
                    let activity = last.withLock { last in
                        last += 1
                        return last
                    }
                    stack.enter(activity)
                    return Activities.Entered(activity: activity) { stack.leave(activity) }
                }))
    }

    /// A task that inherits the activity, as `Task { }` does.
    static func startTask(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let inherited = current
        return Task { await $stack.withValue(Stack(inherited)) { await body() } }
    }

    /// A task that inherits nothing, as `Task.detached` does.
    static func startDetachedTask(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task.detached { await $stack.withValue(Stack([])) { await body() } }
    }

    /// A block of a dispatch queue, which inherits the activity and no task-locals.
    ///
    /// - Parameter isInheriting: False for a thread of its own.
    static func startBlock(
        isInheriting: Bool = true, _ body: @escaping @Sendable () -> Void,
    ) -> Task<Void, Never> {
        let inherited = isInheriting ? current : []
        return Task.detached {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                DispatchQueue.global().async {
                    $stack.withValue(Stack(inherited)) { body() }
                    continuation.resume()
                }
            }
        }
    }
}
