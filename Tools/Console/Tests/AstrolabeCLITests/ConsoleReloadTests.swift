import AstrolabePlatform
import AstrolabeTestSupport
import BrowserKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A console that gets SIGHUP` {
    static let hasOpenSSL = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    private let folder = TemporaryDirectory()

    private func certify(_ name: String) throws {
        let made = try Tool.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=\(name)", "-keyout", folder.path + "/key.pem", "-out", folder.path + "/chain.pem",
        ])
        try #require(made.status == 0, "\(made.output)")
    }

    private func subject(_ console: RunningConsole) throws -> Substring? {
        try Tool.run(["openssl", "s_client", "-connect", "127.0.0.1:\(console.port)"]).output
            .firstMatch(of: /subject=[^\n]*CN ?= ?([a-z]+)/)?.output.1
    }

    @Test(.enabled(if: hasOpenSSL, "needs openssl"))
    func `reads its certificate again, and says so if it cannot use the new one`() async throws {
        try PrivateFiles.makeDirectory(folder.path)
        try certify("first")
        let console = try await RunningConsole(
            database: folder.path + "/console.sqlite",
            ["--tls-certificate", folder.path + "/chain.pem", "--tls-key", folder.path + "/key.pem"],
            joinsErrors: true)
        #expect(try subject(console) == "first")
        try certify("second")
        #expect(console.hangUp() == "Read the certificate and the keys again.\n")
        #expect(try subject(console) == "second")
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: folder.path + "/chain.pem"))
        let complaint = console.hangUp()
        #expect(complaint.contains("expected a PEM file with certificates. The console goes on with the certificate"))
        #expect(try subject(console) == "second")
        console.terminate()
        #expect(await console.status() == 0)
    }

    @Test func `does not end without a certificate either`() async throws {
        try PrivateFiles.makeDirectory(folder.path)
        let console = try await RunningConsole(database: folder.path + "/console.sqlite", [])
        #expect(console.hangUp() == "Read the certificate and the keys again.\n")
        #expect(try await HTTP.request("GET", "http://127.0.0.1:\(console.port)/healthz").status == 200)
        console.terminate()
        #expect(await console.status() == 0)
    }
}
