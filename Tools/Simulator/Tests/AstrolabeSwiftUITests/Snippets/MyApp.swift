// snippet: swiftui-app
import Astrolabe
import AstrolabeSwiftUI
import SwiftUI

struct MyApp: App {
    private let telemetry = Telemetry.start(TelemetryConfiguration(serviceName: "my-app"))

    var body: some Scene {
        WindowGroup {
            TracedView("Home") {
                Button("Place order") {
                    telemetry.tracer("checkout").withSpan("place order") { span in
                        span.setAttribute("cart.items", 3)
                    }
                }
                .tracedTap("place-order")
            }
        }
    }
}
// snippet: end
