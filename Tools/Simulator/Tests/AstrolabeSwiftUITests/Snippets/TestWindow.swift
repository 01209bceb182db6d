#if os(iOS)
// snippet: testing-window
import SwiftUI
import UIKit

/// Shows a view in a window, so that SwiftUI evaluates it and calls `onAppear`.
@MainActor
final class TestWindow {
    private let window: UIWindow

    init(_ view: some View) {
        let scene = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }.first
        window = scene.map { UIWindow(windowScene: $0) } ?? UIWindow()
        window.rootViewController = UIHostingController(rootView: view)
        window.makeKeyAndVisible()
    }

    func close() {
        window.rootViewController = nil
        window.isHidden = true
    }
}
// snippet: end
#elseif os(Linux)
import SwiftUI
import ViewTree

/// The same over the stand-in of SwiftUI.
@MainActor
final class TestWindow {
    private let host: ViewHost

    init(_ view: some View) {
        host = ViewHost(view)
    }

    func close() {
        host.close()
    }
}
#endif
