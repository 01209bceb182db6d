import Astrolabe
import AstrolabeExtras
import AstrolabeHTTP

func client(_ telemetry: Telemetry) -> TracedHTTPClient {
    // snippet: http-identity
    var tracing = HTTPTracing(telemetry, allowedHosts: ["api.example.com"])
    tracing.identity = HTTPIdentity(telemetry)
    let client = TracedHTTPClient(tracing)
    // snippet: end
    return client
}

func propagate(_ configuration: inout TelemetryConfiguration) {
    // snippet: b3-propagator
    configuration.propagator = CompositePropagator([TraceContextPropagator(), BaggagePropagator(), B3Propagator()])
    // snippet: end
}

func recordPayment(_ telemetry: Telemetry) {
    // snippet: event-priority
    telemetry.logger("shop").emit("demo.order.paid", priority: .high)
    // snippet: end
}
