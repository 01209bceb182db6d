#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit
#endif

/// The system's protection of files from a restart of the device until it is unlocked for the first time.
///
/// A push can launch an app in that time. Its files exist, but none of them can be opened.
package struct ProtectedData: Sendable {
    /// Returns true if an error on opening a file means that the device is not unlocked yet.
    package var isLocked: @Sendable (SystemError) -> Bool
    /// Occasions on which that may have changed, from the call on.
    package var changes: @Sendable () -> AsyncStream<Void>

    package init(
        isLocked: @escaping @Sendable (SystemError) -> Bool, changes: @escaping @Sendable () -> AsyncStream<Void>,
    ) {
        self.isLocked = isLocked
        self.changes = changes
    }

    #if canImport(UIKit) && !os(watchOS)
    /// That of the running system; `nil` if it has none.
    package static let system: ProtectedData? = ProtectedData(
        isLocked: { error in
            guard error.isReadOnly else { return false }
            // Before `UIApplicationMain` there is no application to ask.
            guard Thread.isMainThread else { return true }
            return MainActor.assumeIsolated { SharedApplication.current?.isProtectedDataAvailable } != true
        },
        changes: {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            let names = [
                UIApplication.protectedDataDidBecomeAvailableNotification,
                // A suspended process may miss the first.
                UIApplication.didBecomeActiveNotification,
            ]
            let observers = names.map { name in
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                    continuation.yield()
                }
            }
            let removal = Locked(observers as [any NSObjectProtocol])
            continuation.onTermination = { _ in
                for observer in removal.withLock({ $0 }) { NotificationCenter.default.removeObserver(observer) }
            }
            return stream
        })
    #else
    /// That of the running system; `nil` if it has none.
    package static let system: ProtectedData? = nil
    #endif
}
