#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif

/// Tells that the app has finished launching, on systems that report it.
final class FinishedLaunch: Sendable {
    #if canImport(UIKit) && !os(watchOS)
    private let token: Token

    private struct Token: @unchecked Sendable {  // immutable, and NotificationCenter is thread-safe
        var value: any NSObjectProtocol
    }

    /// - Parameter body: Called on the thread of the notification, until this value is released.
    init(_ body: @escaping @Sendable () -> Void) {
        token = Token(
            value: NotificationCenter.default.addObserver(
                forName: UIApplication.didFinishLaunchingNotification, object: nil, queue: nil,
            ) { _ in body() })
    }

    deinit { NotificationCenter.default.removeObserver(token.value) }
    #else
    init(_ body: @escaping @Sendable () -> Void) {}
    #endif
}
