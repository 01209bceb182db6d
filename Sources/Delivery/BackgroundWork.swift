#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
import Dispatch
import Foundation
#endif

/// A request to the system not to suspend the app until a piece of work has finished.
package struct BackgroundWork: Sendable {
    package typealias Work = @Sendable () async -> Void
    private let run: @Sendable (_ work: @escaping Work, _ onExpire: @escaping @Sendable () -> Void) -> Void

    /// - Parameter run: Starts the work and returns immediately. When the background time ends, it cancels the work and
    ///   calls `onExpire`.
    package init(
        _ run: @escaping @Sendable (_ work: @escaping Work, _ onExpire: @escaping @Sendable () -> Void) -> Void
    ) {
        self.run = run
    }

    /// Starts the work and returns immediately.
    ///
    /// The system has been asked when this call returns. Apple does not say that it has granted the time by then. If it
    /// suspends the app before, the records stay in the journal, and the work goes on when the app does.
    ///
    /// - Parameter onExpire: Called when the background time ends, to end whatever the work waits for. It must return
    ///   immediately.
    package func callAsFunction(_ work: @escaping Work, onExpire: @escaping @Sendable () -> Void = {}) {
        run(work, onExpire)
    }

    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    /// Uses `performExpiringActivity`, which ends with the work and is also available in extensions.
    ///
    /// Not yet tested on a device: see `Docs/KnownConcerns.md`.
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
            // The system ends an app whose activity goes on for long after this.
            DispatchQueue.global().asyncAfter(deadline: .now() + 2) { done.signal() }
        }
    }
    #else
    /// Runs the work in a task. This system does not suspend apps.
    package static let system = BackgroundWork { work, _ in Task { await work() } }
    #endif
}
