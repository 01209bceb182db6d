import AstrolabeServer
import ConsoleAccess
package import TelemetryConsole

extension ConsoleCapabilities {
    /// TLS, gRPC, keys, signatures and ClickHouse.
    package static var all: ConsoleCapabilities {
        var all = ConsoleCapabilities()
        all.tls = { certificate throws(ConsoleError) in try certificate.tls() }
        all.grpc = { settings, receiver in GRPCIngestServer(settings, receiver: receiver) }
        all.digest = .sha256
        all.signing = .ed25519
        all.clickHouse = ClickHouseHTTP()
        all.makeTransport = { ServerTransport() }
        return all
    }
}
