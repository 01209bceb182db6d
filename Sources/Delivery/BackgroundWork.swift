#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
import Dispatch
import Foundation
#endif

/// Asks the system not to suspend the app until a piece of work is done.
package struct BackgroundWork: Sendable {
    package typealias Work = @Sendable () async -> Void
    private let run: @Sendable (_ work: @escaping Work, _ onExpire: @escaping @Sendable () -> Void) -> Void

    /// - Parameter run: Starts the work and returns at once; where time runs out it cancels it and calls `onExpire`.
    package init(
        _ run: @escaping @Sendable (_ work: @escaping Work, _ onExpire: @escaping @Sendable () -> Void) -> Void
    ) {
        self.run = run
    }

    /// Starts the work and returns at once. The system has been asked by then, so that the app is not suspended before
    /// the work has begun.
    ///
    /// - Parameter onExpire: Called where the system's patience ends, to end what the work waits for; it must return at
    ///   once.
    package func callAsFunction(_ work: @escaping Work, onExpire: @escaping @Sendable () -> Void = {}) {
        run(work, onExpire)
    }

    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    /// An expiring activity: it ends when the work ends, and works in extensions too.
    ///
    /// Not run on a device yet: see `Docs/KnownConcerns.md`.
    package static let system = BackgroundWork { work, onExpire in
        let done = DispatchSemaphore(value: 0)
        let task = Task {
            await work()
            done.signal()
        }
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Sending telemetry") { isExpired in
            guard isExpired else { return done.wait() }
            onExpire()
            task.cancel()
        }
    }
    #else
    /// The system suspends nobody: the work is done beside the rest.
    package static let system = BackgroundWork { work, _ in Task { await work() } }
    #endif
}
