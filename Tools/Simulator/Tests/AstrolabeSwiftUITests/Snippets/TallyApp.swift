import Astrolabe
import SwiftUI

private struct ContentView: View {
    var body: some View { Text("Tally") }
}

// snippet: your-app
struct TallyApp: App {
    init() {
        Telemetry.start(TelemetryConfiguration(serviceName: "Tally"))
    }

    var body: some Scene {
        WindowGroup { ContentView() }
    }
}
// snippet: end
