import HummingbirdCore
import HummingbirdTLS
import NIOSSL
import TelemetryConsole

extension ConsoleCertificate {
    func securing(_ server: HTTPServerBuilder) throws(ConsoleError) -> HTTPServerBuilder {
        do {
            let settings = try settings(for: ["http/1.1"])
            // Hummingbird makes the context when the server starts, which is too late for a clear message.
            _ = try NIOSSLContext(configuration: settings)
            return try .tls(server, tlsConfiguration: settings)
        } catch {
            throw Self.failure(error, keyPath)
        }
    }

    /// - Parameter protocols: The names of the protocols that the server speaks, as TLS negotiates them.
    func context(for protocols: [String]) throws(ConsoleError) -> NIOSSLContext {
        do {
            return try NIOSSLContext(configuration: settings(for: protocols))
        } catch {
            throw Self.failure(error, keyPath)
        }
    }

    private static func failure(_ error: any Error, _ path: String) -> ConsoleError {
        (error as? ConsoleError)
            ?? .certificate(path: path, reason: "expected a PEM file with the private key of the certificate")
    }

    private func settings(for protocols: [String]) throws -> TLSConfiguration {
        let chain: [NIOSSLCertificateSource]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(certificatePath).map { .certificate($0) }
        } catch {
            throw ConsoleError.certificate(
                path: certificatePath, reason: "expected a PEM file with certificates", )
        }
        guard !chain.isEmpty else {
            throw ConsoleError.certificate(path: certificatePath, reason: "it has no certificate")
        }
        let key = try NIOSSLPrivateKey(file: keyPath, format: .pem)
        var settings = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
        settings.minimumTLSVersion = .tlsv12
        settings.applicationProtocols = protocols
        return settings
    }
}
