#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
import Dispatch
import Foundation
#endif

/// Asks the system not to suspend the app until a piece of work is done.
package struct BackgroundWork: Sendable {
    private let run: @Sendable (_ work: @escaping @Sendable () async -> Void) -> Void

    package init(_ run: @escaping @Sendable (_ work: @escaping @Sendable () async -> Void) -> Void) {
        self.run = run
    }

    /// Starts the work, which is cancelled where the system's patience ends, and returns at once.
    package func callAsFunction(_ work: @escaping @Sendable () async -> Void) {
        run(work)
    }

    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    /// An expiring activity: it ends when the work ends, and works in extensions too.
    ///
    /// Not run on a device yet: see `Docs/KnownConcerns.md`.
    package static let system = BackgroundWork { work in
        let done = DispatchSemaphore(value: 0)
        let task = Task {
            await work()
            done.signal()
        }
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Sending telemetry") { isExpired in
            if isExpired { task.cancel() } else { done.wait() }
        }
    }
    #else
    /// The system suspends nobody: the work is done beside the rest.
    package static let system = BackgroundWork { work in Task { await work() } }
    #endif
}
