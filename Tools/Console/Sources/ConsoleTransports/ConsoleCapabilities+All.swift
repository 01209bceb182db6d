import AstrolabeServer
import ConsoleAccess
package import TelemetryConsole

extension ConsoleCapabilities {
    /// TLS, gRPC, keys and ClickHouse.
    package static var all: ConsoleCapabilities {
        var all = ConsoleCapabilities()
        all.tls = { certificate, server throws(ConsoleError) in try certificate.securing(server) }
        all.grpc = { settings throws(ConsoleError) in
            let encryption = try settings.certificate?.context(for: ["h2"])
            return { receiver in
                GRPCIngestServer(host: settings.host, port: settings.port, receiver: receiver, encryption: encryption)
            }
        }
        all.digest = .sha256
        all.clickHouse = ClickHouseHTTP()
        all.makeTransport = { ServerTransport() }
        return all
    }
}
