import Astrolabe

/// A transport that reaches no server.
///
/// The default endpoint is a port of this machine. Without this transport, a test sends records to a collector that
/// listens there, such as a developer's console.
struct UnreachableTransport: OTLPTransport {
    func send(_ request: OTLPRequest) async -> SendResult { .unreachable("tests have no network") }
}

extension Telemetry {
    /// Starts the SDK as an app does, but without a way to a server.
    static func startUnreachable(_ configuration: TelemetryConfiguration) -> Telemetry {
        var configuration = configuration
        configuration.transport = UnreachableTransport()
        return start(configuration)
    }
}
