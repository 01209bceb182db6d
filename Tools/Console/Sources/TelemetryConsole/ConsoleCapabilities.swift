package import AstrolabeDelivery
package import ClickHouse
package import ConsoleAccess
package import ServiceLifecycle

/// Capabilities of a console beyond HTTP and its own file, which need BoringSSL, gRPC and an HTTP client.
///
/// These libraries are two fifths of a first build. The program `astrolabe` has all capabilities, those of the module
/// `ConsoleTransports`. The program `astrolabe-local`, for the demo and for all that stays on one machine, has none:
/// `Docs/Decisions`, 0055.
package struct ConsoleCapabilities: Sendable {
    /// Makes TLS of a certificate.
    package var tls: (@Sendable (ConsoleCertificate) throws(ConsoleError) -> ConsoleTLS)?
    /// Makes the receiver of OTLP over gRPC.
    package var grpc: (@Sendable (GRPCSettings, IngestReceiver) -> any GRPCReceiver)?
    /// Checks the keys of a file.
    package var digest: KeyDigest?
    /// Signs policies. No console does, only the command that pushes one.
    package var signing: PolicySigning?
    /// Reaches a ClickHouse server.
    package var clickHouse: (any ClickHouseTransport)?
    /// Makes what sends forwarded requests, alerts and the program's own telemetry. The default needs no library.
    package var makeTransport: @Sendable () -> any OTLPTransport = { URLSessionTransport() }

    /// No capability.
    package init() {}
}

/// The address and the settings of OTLP over gRPC.
package struct GRPCSettings: Sendable {
    package let host: String
    /// The port to listen on; 0 selects a free port.
    package let port: Int
    /// `nil` for connections without TLS.
    package let tls: ConsoleTLS?
}

/// A server of OTLP over gRPC.
package protocol GRPCReceiver: Service {
    /// The port that the server listens on, when it does.
    ///
    /// - Throws: `ListeningError` if it cannot listen.
    var port: Int { get async throws }
}
