#if os(iOS)
import Astrolabe
import AstrolabeAutomatic
import AstrolabeHTTP
import AstrolabeUIKit
import UIKit
import UserNotifications
import WebKit

private enum Screens {
    // snippet: uikit-base-class
    final class CartViewController: TracedViewController {
        override var tracedName: String { "Cart" }
    }
    // snippet: end

    // snippet: uikit-start-tracing
    final class OrdersViewController: UITableViewController {
        override func viewDidLoad() {
            super.viewDidLoad()
            startTracing("Orders")
        }
    }
    // snippet: end

    // snippet: uikit-taps
    final class PayViewController: UIViewController {
        private let payButton = UIButton(type: .system)

        override func viewDidLoad() {
            super.viewDidLoad()
            payButton.traceTaps("pay")
            view.addSubview(payButton)
        }
    }
    // snippet: end
}

// snippet: uikit-scene
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        Telemetry.shared.recordOpening(by: options)
    }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Telemetry.shared.recordLinks(contexts)
    }

    func scene(_ scene: UIScene, continue activity: NSUserActivity) {
        Telemetry.shared.recordLink(continuing: activity)
    }
}
// snippet: end

// snippet: uikit-notifications
final class NotificationDelegate: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void,
    ) {
        Telemetry.shared.recordNotificationOpen(response)
        completionHandler()
    }
}
// snippet: end

// snippet: uikit-web-view
@MainActor
func showTerms(at url: URL, tracing: HTTPTracing) -> WKWebView {
    let configuration = WKWebViewConfiguration()
    if let script = tracing.userScript() { configuration.userContentController.addUserScript(script) }
    let webView = WKWebView(frame: .zero, configuration: configuration)
    webView.load(tracing.webRequest(URLRequest(url: url)))
    return webView
}
// snippet: end
#endif
