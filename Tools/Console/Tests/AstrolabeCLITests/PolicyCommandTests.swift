import AstrolabePolicy
import AstrolabePolicyDocument
import AstrolabeTestSupport
import Crypto
import Foundation
import Testing

@testable import AstrolabeCommands
@testable import TelemetryConsole

/// Tests of policies by commands, against a running console.
@Suite(.timeLimit(.minutes(5))) struct `The policy command` {
    private let folder = TestFolders.folder("policy")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Writes a policy and returns the path of its file.
    private func policy(version: Int, _ rest: String = "") throws -> String {
        let file = path("policy-\(version).json")
        let head = #""schema": 1, "app": "shop", "version": \#(version), "expires": "2099-12-31T00:00:00Z""#
        try Data("{\(head)\(rest)}\n".utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Makes a key, and returns its public part.
    private func makeKey() async throws -> Curve25519.Signing.PublicKey {
        let (status, output) = await CommandInProcess.run(["policy", "keygen", path("policy.key")])
        #expect(status == 0, "\(output)")
        let text = try #require(output.split(separator: "\n").first)
        return try Curve25519.Signing.PublicKey(rawRepresentation: try #require(Data(base64Encoded: String(text))))
    }

    private func stored() throws -> [StoredPolicy] {
        try StateFile<PolicyBook>(path: path("policies.json")).read().policies["shop"] ?? []
    }

    @Test func `makes a key that only its owner may read, and replaces none`() async throws {
        _ = try await makeKey()
        let key = path("policy.key")
        let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let text = try String(contentsOfFile: key, encoding: .utf8)
        #expect(text.hasPrefix("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEI"), "the form of openssl")
        let again = await CommandInProcess.run(["policy", "keygen", key])
        #expect(again.status == 1 && again.output.contains("there is a file"), "\(again.output)")
        #expect(try String(contentsOfFile: key, encoding: .utf8) == text)
        let nowhere = await CommandInProcess.run(["policy", "keygen", path("no/policy.key")])
        #expect(nowhere.status == 1 && nowhere.output.contains("expected a folder that exists"), "\(nowhere.output)")
    }

    @Test func `finds all faults of a policy`() async throws {
        let good = try policy(version: 7)
        let bad = try policy(version: 8, #", "rates": {"normal": 2}, "of": []"#)
        let fine = await CommandInProcess.run(["policy", "lint", good])
        #expect(fine.status == 0 && fine.output.contains("version 7 of shop, expires 2099-12-31"), "\(fine.output)")
        let faulty = await CommandInProcess.run(["policy", "lint", good, bad])
        #expect(faulty.status == 1)
        #expect(faulty.output.contains("\(bad): $.rates.normal: expected a number from 0 to 1, found 2"))
        #expect(faulty.output.contains("\(bad): $.of: expected no such key here"))
        let json = await CommandInProcess.run(["policy", "lint", "--json", bad])
        #expect(json.status == 1 && json.output.contains(#""path" : "$.rates.normal""#), "\(json.output)")
        let missing = await CommandInProcess.run(["policy", "lint", path("none.json")])
        #expect(missing.status == 1 && missing.output.contains("cannot read"), "\(missing.output)")
    }

    @Test func `shows what a policy does to a simulated fleet`() async throws {
        let none = #""full": 0, "normal": 0, "reduced": 0, "minimal": 0"#
        let file = try policy(version: 7, #", "rates": {\#(none)}"#)
        let preview = ["policy", "preview", file, "--devices", "2", "--hours", "4"]
        let (status, output) = await CommandInProcess.run(preview)
        #expect(status == 0, "\(output)")
        #expect(output.contains("as configured") && output.contains("version 7"), "\(output)")
        #expect(output.contains("sampled out") && output.contains("over Wi-Fi"), "\(output)")
        let wrong = await CommandInProcess.run(["policy", "preview", file, "--devices", "0"])
        #expect(wrong.status != 0 && wrong.output.contains("--devices: expected 1 to 100000"), "\(wrong.output)")
    }

    @Test func `pushes the bytes of a file with their signature, and shows what is rolled out`() async throws {
        let publicKey = try await makeKey()
        let (file, key) = (try policy(version: 7), path("policy.key"))
        try await ConsoleSwitch.run(on: path("console.sqlite")) { address in
            let push = ["policy", "push", file, "--key", key, "--console", address]
            let pushed = await CommandInProcess.run(push + ["--percentage", "10", "--system", "iOS 18*"])
            #expect(pushed.status == 0 && pushed.output.contains("version 7 of shop"), "\(pushed.output)")
            let policy = try #require(try stored().first)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            #expect(policy.document == bytes)
            #expect(publicKey.isValidSignature(policy.signature, for: policy.document))
            let rollout = PolicyRollout(percentage: 10, target: PolicyTarget(systems: ["iOS 18*"]))
            #expect(policy.rollout == rollout)
            let again = await CommandInProcess.run(push)
            #expect(again.status == 1 && again.output.contains("expected a version above 7"), "\(again.output)")
            let status = await CommandInProcess.run(["policy", "status", "--console", address])
            #expect(status.status == 0 && status.output.contains("shop: 0 devices"), "\(status.output)")
            #expect(status.output.contains("version 7  active  10 %  0 devices  until 2099-12-31T00:00:00Z"))
            let json = await CommandInProcess.run(["policy", "status", "shop", "--json", "--console", address])
            #expect(json.output.contains(#""version":7"#), "\(json.output)")
            let unknown = await CommandInProcess.run(["policy", "status", "mail", "--console", address])
            #expect(unknown.status == 1 && unknown.output.contains("no policy and no agent of mail"))
        }
    }

    @Test func `shows nothing of what devices say that a terminal would obey`() throws {
        let status = try AppPolicies(
            Data(
                #"""
                {"app": "shop\u001b[2J", "policies": [], "use": {"agents": 2,
                  "versions": [{"hash": "00ff", "agents": 2}],
                  "refusals": [{"message": "expired\u001b]0;title\u0007", "agents": 1}]}}
                """#.utf8))
        let text = PolicyStatusCommand.text(status)
        #expect(text.hasPrefix("shop [2J: 2 devices\n") && text.contains("was refused by 1 device: expired ]0;title"))
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    }

    @Test func `makes no request with a version above the highest`() throws {
        let status = try AppPolicies(
            Data(
                #"""
                {"app": "shop", "use": {"agents": 0, "versions": [], "refusals": []}, "policies": [
                  {"version": 9223372036854775807, "state": "active", "percentage": 100, "expiresUs": 1, "hash": "00",
                   "target": {"installations": []}, "document": {"schema": 1}}]}
                """#.utf8))
        let failure = #expect(throws: PolicyFile.Failure.self) { _ = try status.request(to: "device-1", id: "a") }
        #expect(failure?.description.contains("is the highest") == true)
    }

    @Test func `asks one installation for its flight recorder with the newest policy`() async throws {
        let publicKey = try await makeKey()
        let (file, key) = (try policy(version: 7, #", "rates": {"full": 1, "normal": 0.05}"#), path("policy.key"))
        try await ConsoleSwitch.run(on: path("console.sqlite")) { address in
            let options = ["--key", key, "--console", address]
            let early = await CommandInProcess.run(["policy", "promote", "device-1", "--app", "shop"] + options)
            #expect(early.status == 1)
            #expect(await CommandInProcess.run(["policy", "push", file] + options).status == 0)
            for (number, device) in [(8, "device-1"), (9, "device-2")] {
                let asked = await CommandInProcess.run(["policy", "promote", device, "--app", "shop"] + options)
                #expect(asked.status == 0 && asked.output.contains("version \(number) of shop"), "\(asked.output)")
            }
            let policies = try stored()
            #expect(policies.map(\.version) == [9, 8, 7])
            #expect(policies.map(\.rollout.target.installations) == [["device-2"], ["device-1"], []])
            for policy in policies { #expect(publicKey.isValidSignature(policy.signature, for: policy.document)) }
            let newest = try PolicyFile(path: "newest", bytes: Array(#require(policies.first).document)).document()
            #expect(newest.requests.map(\.installation) == ["device-2"] && newest.requests.map(\.kind) == [.promote])
            #expect(newest.policy.samplingRates.normal == 0.05 && newest.policy.samplingRates.full == 1)
        }
    }

    @Test func `uses no key that others may read, and no file that is no key`() async throws {
        _ = try await makeKey()
        let (file, key) = (try policy(version: 7), path("policy.key"))
        let push = ["policy", "push", file, "--key", key, "--console", "http://127.0.0.1:9"]
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let open = await CommandInProcess.run(push)
        #expect(open.status == 1 && open.output.contains("whose mode is 644; run `chmod 600"), "\(open.output)")
        try Data("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8)
            .write(to: URL(fileURLWithPath: key))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let wrong = await CommandInProcess.run(push)
        #expect(wrong.status == 1 && wrong.output.contains("has no private key of Ed25519"), "\(wrong.output)")
        try FileManager.default.removeItem(atPath: key)
        let missing = await CommandInProcess.run(push)
        #expect(missing.status == 1 && missing.output.contains("astrolabe policy keygen"), "\(missing.output)")
        let share = await CommandInProcess.run(push + ["--percentage", "101"])
        #expect(share.status != 0 && share.output.contains("--percentage: expected 0 to 100"), "\(share.output)")
    }
}
