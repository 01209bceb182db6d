import ConsoleAccess
import ConsoleTransports
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of the console with a certificate of its own, read by a client that was not written here.
@Suite(.timeLimit(.minutes(5)))
struct CertificateTests {
    static let hasTools = ["/usr/bin/openssl", "/usr/bin/curl"].allSatisfy(FileManager.default.isExecutableFile)

    private static func output(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Makes a self-signed certificate for 127.0.0.1.
    private static func certificate(in folder: URL) throws -> ConsoleCertificate {
        let certificate = folder.appendingPathComponent("chain.pem").path
        let key = folder.appendingPathComponent("key.pem").path
        _ = try output(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ], )
        return ConsoleCertificate(certificatePath: certificate, keyPath: key)
    }

    @Test(.enabled(if: hasTools, "needs openssl and curl"))
    func `pages are sent over TLS, their cookie is secure, and plain HTTP gets nothing`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let certificate = try Self.certificate(in: folder)
        let keys = KeyFile(path: folder.appendingPathComponent("keys.json").path, digest: .sha256)
        let viewer = try keys.create("Ada", use: .view)
        try await ConsoleUnderTest.run({
            $0.tls = certificate
            $0.grpcPort = 0
            $0.keysPath = keys.path
        }) { console in
            let address = console.console.configuration.address(port: console.port)
            #expect(address == "https://127.0.0.1:\(console.port)")
            let curl = ["--silent", "--include", "--max-time", "120", "--cacert", certificate.certificatePath]
            let page = try Self.output("/usr/bin/curl", curl + [address + "/"])
            #expect(page.contains("200 OK") && page.contains("<!doctype html>"))
            #expect(try Self.output("/usr/bin/curl", curl + [address + "/api/v1/status"]).contains("401"))
            let signedIn = try Self.output(
                "/usr/bin/curl",
                curl + [
                    "--header", "Content-Type: application/json", "--data", "{\"key\":\"\(viewer.text)\"}",
                    address + "/api/v1/access",
                ], )
            #expect(signedIn.contains("SameSite=Strict; Secure"))
            let plain = ["--silent", "--include", "--max-time", "120", "http://127.0.0.1:\(console.port)/"]
            #expect(try Self.output("/usr/bin/curl", plain) == "")
            let call = ["s_client", "-connect", "127.0.0.1:\(console.grpcPort ?? 0)", "-alpn", "h2"]
            let handshake = try Self.output(
                "/usr/bin/openssl", call + ["-CAfile", certificate.certificatePath, "-verify_return_error"], )
            #expect(handshake.contains("ALPN protocol: h2") && handshake.contains("Verify return code: 0 (ok)"))
        }
    }

    @Test(.enabled(if: hasTools, "needs openssl and curl"))
    func `a certificate that cannot be read or does not fit its key is an error that names the file`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let other = folder.appendingPathComponent("other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        let right = try Self.certificate(in: folder)
        let foreign = try Self.certificate(in: other)
        let missing = folder.appendingPathComponent("missing.pem").path
        for (chain, key, named) in [
            (missing, right.keyPath, missing), (right.keyPath, right.keyPath, right.keyPath),
            (right.certificatePath, missing, missing), (right.certificatePath, foreign.keyPath, foreign.keyPath),
        ] {
            var configuration = ConsoleUnderTest.configuration(in: folder)
            configuration.tls = ConsoleCertificate(certificatePath: chain, keyPath: key)
            let console = configuration
            let error = await #expect(throws: ConsoleError.self) { try await ConsoleServer(console).run() }
            #expect(error?.description.contains(named) == true)
        }
    }
}
