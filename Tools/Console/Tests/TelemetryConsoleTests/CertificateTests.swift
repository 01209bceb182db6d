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

    static let ellipticKey = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

    /// Makes a self-signed certificate for 127.0.0.1, and replaces the one in the folder.
    private static func certificate(
        in folder: URL, name: String = "127.0.0.1", newKey: [String] = CertificateTests.ellipticKey,
    ) throws -> ConsoleCertificate {
        let certificate = folder.appendingPathComponent("chain.pem").path
        let key = folder.appendingPathComponent("key.pem").path
        _ = try output(
            "/usr/bin/openssl",
            ["req", "-x509", "-newkey"] + newKey + [
                "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                key, "-out", certificate,
            ])
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
                ])
            #expect(signedIn.contains("SameSite=Strict; Secure"))
            let plain = ["--silent", "--include", "--max-time", "120", "http://127.0.0.1:\(console.port)/"]
            #expect(try Self.output("/usr/bin/curl", plain) == "")
            let call = ["s_client", "-connect", "127.0.0.1:\(console.grpcPort ?? 0)", "-alpn", "h2"]
            let handshake = try Self.output(
                "/usr/bin/openssl", call + ["-CAfile", certificate.certificatePath, "-verify_return_error"])
            #expect(handshake.contains("ALPN protocol: h2") && handshake.contains("Verify return code: 0 (ok)"))
        }
    }

    private static func handshake(_ port: Int, _ options: [String] = []) throws -> String {
        try output("/usr/bin/openssl", ["s_client", "-connect", "127.0.0.1:\(port)"] + options)
    }

    @Test(
        .enabled(if: hasTools, "needs openssl and curl"),
        arguments: [
            (
                ["rsa:2048"], ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-CHACHA20-POLY1305"],
                ["AES128-SHA", "AES256-SHA", "AES128-GCM-SHA256", "ECDHE-RSA-AES128-SHA", "ECDHE-RSA-AES256-SHA"],
            ),
            (
                ellipticKey, ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384"],
                ["ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA"],
            ),
        ] as [([String], [String], [String])],
    )
    func `TLS 1.2 has suites with forward secrecy and authenticated encryption alone`(
        newKey: [String], accepted: [String], refused: [String],
    ) async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let certificate = try Self.certificate(in: folder, newKey: newKey)
        try await ConsoleUnderTest.run({
            $0.tls = certificate
            $0.grpcPort = 0
        }) { console in
            for port in [console.port, console.grpcPort ?? 0] {
                for suite in accepted + refused {
                    let text = try Self.handshake(port, ["-tls1_2", "-cipher", suite])
                    #expect(text.contains("Cipher is \(suite)") == accepted.contains(suite), "\(suite)")
                }
                #expect(try Self.handshake(port, ["-tls1_3"]).contains("TLSv1.3, Cipher is TLS_"))
            }
        }
    }

    @Test(.enabled(if: hasTools, "needs openssl and curl"))
    func `a certificate with a short RSA key is refused at the start`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ConsoleUnderTest.configuration(in: folder)
        configuration.tls = try Self.certificate(in: folder, newKey: ["rsa:1024"])
        let console = configuration
        let error = await #expect(throws: ConsoleError.self) { _ = try await ConsoleServer(console) }
        #expect(error?.description.hasSuffix("has 1024 bits; expected at least 2048, or an elliptic curve") == true)
    }

    @Test(.enabled(if: hasTools, "needs openssl and curl"))
    func `a new certificate is for new connections of HTTP and gRPC, and a bad one changes nothing`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let certificate = try Self.certificate(in: folder, name: "first")
        try await ConsoleUnderTest.run({
            $0.tls = certificate
            $0.grpcPort = 0
        }) { console in
            func expect(_ name: String) throws {
                for port in [console.port, console.grpcPort ?? 0] {
                    let subject = try Self.handshake(port).firstMatch(of: /subject=[^\n]*CN ?= ?([a-z]+)/)
                    #expect(subject?.output.1 == name[...])
                }
            }
            try expect("first")
            _ = try Self.certificate(in: folder, name: "second")
            try expect("first")
            try console.console.reload()
            try expect("second")
            _ = try Self.certificate(in: folder, name: "third", newKey: ["rsa:1024"])
            #expect(throws: ConsoleError.self) { try console.console.reload() }
            try Data("nonsense".utf8).write(to: URL(fileURLWithPath: certificate.certificatePath))
            let error = #expect(throws: ConsoleError.self) { try console.console.reload() }
            #expect(error?.description.contains(certificate.certificatePath) == true)
            try expect("second")
        }
    }

    @Test(.enabled(if: hasTools, "needs openssl and curl"))
    func `browsers are kept from plain HTTP for a name, and not for this machine`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let certificate = try Self.certificate(in: folder)
        let keys = KeyFile(path: folder.appendingPathComponent("keys.json").path, digest: .sha256)
        _ = try keys.create("Ada", use: .view)
        try await ConsoleUnderTest.run({
            $0.tls = certificate
            $0.keysPath = keys.path
            $0.publicNames = ["console.example.com"]
        }) { console in
            for (name, isKept) in [("console.example.com", true), ("localhost", false), ("127.0.0.1", false)] {
                let page = try Self.output(
                    "/usr/bin/curl",
                    [
                        "--silent", "--include", "--max-time", "120", "--insecure", "--noproxy", "*", "--resolve",
                        "\(name):\(console.port):127.0.0.1", "https://\(name):\(console.port)/",
                    ])
                #expect(page.contains("200 OK"), "\(name)")
                #expect(page.contains("Strict-Transport-Security: max-age=15552000") == isKept, "\(name)")
            }
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
