#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif

/// Tells that the app has finished launching, on systems that report it.
enum FinishedLaunch {
    #if canImport(UIKit) && !os(watchOS)
    static func observe(_ body: @escaping @Sendable () -> Void) {
        // Posted once in a process, so the observation need not end.
        _ = NotificationCenter.default.addObserver(
            forName: UIApplication.didFinishLaunchingNotification, object: nil, queue: nil,
        ) { _ in body() }
    }
    #else
    static func observe(_ body: @escaping @Sendable () -> Void) {}
    #endif
}
