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
    /// The system has received the request when this call returns, so it does not suspend the app before the work
    /// begins.
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
        }
    }
    #else
    /// Runs the work in a task. This system does not suspend apps.
    package static let system = BackgroundWork { work, _ in Task { await work() } }
    #endif
}
