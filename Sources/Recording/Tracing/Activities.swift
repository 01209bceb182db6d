import Atomics

/// Activities of the system, which it passes on to the tasks and the blocks of dispatch queues that are started in
/// them: `os_activity` on Apple platforms.
///
/// What is made current by hand has no closure whose task-locals would reach them. An activity does. None is in use
/// until the adapter of an API that promises this installs them.
package struct Activities: Sendable {
    /// The activity that code runs in, and the one that encloses it; 0 for none.
    package struct Position: Sendable {
        package let activity: UInt64
        package let enclosing: UInt64

        package init(activity: UInt64, enclosing: UInt64) {
            self.activity = activity
            self.enclosing = enclosing
        }
    }

    /// An activity that was entered, and how to leave it in the task or thread that entered it.
    package struct Entered: Sendable {
        package let activity: UInt64
        package let leave: @Sendable () -> Void

        package init(activity: UInt64, leave: @escaping @Sendable () -> Void) {
            self.activity = activity
            self.leave = leave
        }
    }

    /// The place of the running code.
    let position: @Sendable () -> Position
    /// Enters a new activity within the current one.
    let enter: @Sendable () -> Entered

    package init(position: @escaping @Sendable () -> Position, enter: @escaping @Sendable () -> Entered) {
        self.position = position
        self.enter = enter
    }

    private final class Box: Sendable {
        let activities: Activities
        init(_ activities: Activities) { self.activities = activities }
    }

    private static let box = ManagedAtomicLazyReference<Box>()

    /// Puts activities to use for the life of the process; the first ones stay.
    package static func install(_ activities: Activities) {
        _ = box.storeIfNilThenLoad(Box(activities))
    }

    /// Those in use; `nil` if there are none.
    static var installed: Activities? { box.load()?.activities }
}
