import AstrolabePlatform
import NIOCore
import NIOSSL
import TelemetryConsole

extension ConsoleCertificate {
    /// Reads the files, and makes TLS of them.
    ///
    /// - Throws: `ConsoleError.certificate`, which names the file and what was expected.
    func tls() throws(ConsoleError) -> ConsoleTLS {
        let contexts = Locked(try readContexts())
        return ConsoleTLS(
            start: { channel, negotiated in
                let context = contexts.withLock { negotiated == .http1 ? $0.http1 : $0.http2 }
                try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            },
            reload: { () throws(ConsoleError) in
                let fresh = try readContexts()
                contexts.withLock { $0 = fresh }
            })
    }

    /// The suites of TLS 1.2: each has forward secrecy and authenticated encryption. Those of TLS 1.3 all do.
    private static let suites = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")

    /// The least length of an RSA key in bits: what browsers and certificate authorities require.
    private static let shortestRSAKey = 2_048

    /// The settings of TLS for each protocol.
    private struct Contexts {
        let http1: NIOSSLContext
        let http2: NIOSSLContext
    }

    private func readContexts() throws(ConsoleError) -> Contexts {
        let chain = try readChain()
        let contexts: Contexts
        do {
            let key = try NIOSSLPrivateKey(file: keyPath, format: .pem)
            var settings = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            settings.minimumTLSVersion = .tlsv12
            settings.cipherSuites = Self.suites
            settings.applicationProtocols = ["http/1.1"]
            let http1 = try NIOSSLContext(configuration: settings)
            settings.applicationProtocols = ["h2"]
            contexts = Contexts(http1: http1, http2: try NIOSSLContext(configuration: settings))
        } catch {
            throw .certificate(path: keyPath, reason: "expected a PEM file with the private key of the certificate")
        }
        try checkStrength(of: chain[0])
        return contexts
    }

    /// Returns the certificates of the file, of which there is at least one.
    private func readChain() throws(ConsoleError) -> [NIOSSLCertificate] {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(certificatePath) else {
            throw .certificate(path: certificatePath, reason: "expected a PEM file with certificates")
        }
        guard !chain.isEmpty else { throw .certificate(path: certificatePath, reason: "it has no certificate") }
        return chain
    }

    /// - Parameter certificate: One that BoringSSL has accepted: it traps on a public key that it cannot read.
    private func checkStrength(of certificate: NIOSSLCertificate) throws(ConsoleError) {
        guard let key = try? certificate.extractPublicKey().toSPKIBytes(), let bits = RSAPublicKey.bits(key),
            bits < Self.shortestRSAKey
        else { return }
        let expected = "expected at least \(Self.shortestRSAKey), or an elliptic curve"
        throw .certificate(path: certificatePath, reason: "its RSA key has \(bits) bits; \(expected)")
    }
}
