import Astrolabe
import AstrolabeAutomatic

func shareExtension(isDone: Bool) {
    // snippet: app-extension
    let telemetry = Telemetry.start(.appExtension(serviceName: "my-app-share"))
    telemetry.tracer("share").withSpan("share photo") { _ in }
    telemetry.flushBeforeSuspension()  // When the work is done.
    // snippet: end
}

@MainActor
func automatic(isAllowedByServer: Bool) {
    // snippet: automatic
    let telemetry = Telemetry.start(TelemetryConfiguration(serviceName: "my-app"))
    var options = AutomaticOptions()
    options.isEnabled = isAllowedByServer  // The kill switch.
    options.excludedControllers = ["SplashViewController"]
    AutomaticInstrumentation.start(telemetry, options: options)
    // snippet: end
}
