#if os(iOS)
// snippet: uikit-app
import Astrolabe
import UIKit

final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?,
    ) -> Bool {
        Telemetry.start(TelemetryConfiguration(serviceName: "my-app"))
        return true
    }
}
// snippet: end

// snippet: uikit-screen
final class CartViewController: UIViewController {
    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        Telemetry.shared.setScreen("Cart")
    }

    @objc func orderButtonTapped() {
        Telemetry.shared.views.recordTap("place-order")
    }
}
// snippet: end
#endif
