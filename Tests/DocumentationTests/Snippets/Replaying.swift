// snippet: replay
import Astrolabe
import AstrolabeSessionReplay

func startTelemetry() -> Telemetry {
    var configuration = TelemetryConfiguration(serviceName: "my-app")
    configuration.replay.isEnabled = true
    configuration.replay.unmasked = ["catalogue"]  // Identifiers whose texts may be read.
    return Telemetry.start(configuration)  // Reads the views of UIKit by itself.
}
// snippet: end
