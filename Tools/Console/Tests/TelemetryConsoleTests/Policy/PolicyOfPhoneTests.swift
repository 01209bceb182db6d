import Astrolabe
import AstrolabeRemotePolicy
import AstrolabeTestSupport
import BrowserKit
import ConsoleTransports
import Crypto
import Foundation
import Testing

@testable import TelemetryConsole

/// The real SDK asks the real console, with real signatures.
@Suite(.timeLimit(.minutes(3)))
struct PolicyOfPhoneTests {
    private static func start(
        at console: ConsoleUnderTest, in folder: URL, publicKey: [UInt8], key: String,
    ) throws -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.storageDirectory = folder
        configuration.endpoint = OTLPEndpoint(
            url: try #require(URL(string: console.address)), headers: ["Authorization": "Bearer \(key)"])
        var policy = RemotePolicyConfiguration(
            endpoint: try #require(URL(string: console.address + "/v1/opamp")), publicKey: publicKey,
            headers: ["Authorization": "Bearer \(key)"])
        policy.isValidSignature = { signature, document, publicKey in
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
            return key?.isValidSignature(signature, for: document) == true
        }
        configuration.remotePolicy = policy
        return Telemetry.start(configuration)
    }

    @Test
    func `a phone follows what was signed, says so, and names it in the records of its next start`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await ConsoleUnderTest.run { console in
            let signing = PolicySigning.ed25519
            let privateKey = signing.makeKey()
            let publicKey = try #require(signing.publicKey(privateKey))
            let document = PushedPolicy.document(version: 3, #", "off": ["replay"]"#)
            let signature = try #require(signing.sign(Array(document.utf8), privateKey))
            let pushed = try await PushedPolicy.request(
                "POST", "policies", PushedPolicy.body(document, signature: signature), at: console)
            #expect(pushed.status == 201, "\(pushed.text)")
            let first = try Self.start(at: console, in: folder, publicKey: publicKey, key: "none")
            first.logger("app").emit("demo.hello")
            await first.flush()
            try await eventually("the phone follows the document") { first.remotePolicyReport?.version == 3 }
            try await eventually("the console knows") {
                let use = try await console.get("/api/v1/policies/shop")["use"]
                return use["versions"].elements.map { $0["version"].int } == [3]
            }
            await first.shutdown()
            let second = try Self.start(at: console, in: folder, publicKey: publicKey, key: "none")
            second.logger("app").emit("demo.hello")
            await second.shutdown(timeout: .seconds(60))
            let devices = try await console.get("/api/v1/devices")["devices"].elements
            let hash = try JSONResponse(pushed.body)["hash"].text
            #expect(devices.map { $0["device"]["policyVersion"].text } == [hash])
        }
    }

    @Test
    func `a phone refuses what another key has signed, and the console shows why`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await ConsoleUnderTest.run { console in
            let signing = PolicySigning.ed25519
            let document = PushedPolicy.document(version: 3)
            let signature = try #require(signing.sign(Array(document.utf8), signing.makeKey()))
            _ = try await PushedPolicy.request(
                "POST", "policies", PushedPolicy.body(document, signature: signature), at: console)
            let publicKey = try #require(signing.publicKey(signing.makeKey()))
            let telemetry = try Self.start(at: console, in: folder, publicKey: publicKey, key: "none")
            telemetry.logger("app").emit("demo.hello")
            await telemetry.flush()
            try await eventually("the console knows") {
                let use = try await console.get("/api/v1/policies/shop")["use"]
                return use["refusals"][0]["message"].text?.contains("signature is not that of the app's key") == true
            }
            #expect(telemetry.remotePolicyReport?.refused == ["wrong_signature": 1])
            #expect(telemetry.remotePolicyReport?.version == nil)
            await telemetry.shutdown()
        }
    }
}
