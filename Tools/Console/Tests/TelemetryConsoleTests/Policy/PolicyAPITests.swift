import AstrolabeOpAMP
import AstrolabePolicyDocument
import BrowserKit
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of the policies' API, over real sockets and files.
@Suite(.timeLimit(.minutes(3)))
struct PolicyAPITests {
    private static func change(
        _ path: String, _ body: String, at console: ConsoleUnderTest,
    ) async throws -> HTTP.Response {
        try await PushedPolicy.request("PATCH", path, Array(body.utf8), at: console)
    }

    @Test
    func `a document is listed with its roll-out, which can be changed, until it is withdrawn`() async throws {
        try await ConsoleUnderTest.run { console in
            let document = PushedPolicy.document(version: 7, #", "off": ["replay"]"#)
            let pushed = try await PushedPolicy.push(
                document, #", "percentage": 10, "target": {"appVersions": ["2.*"]}"#, to: console)
            #expect(pushed.status == 201, "\(pushed.text)")
            #expect(try JSONResponse(pushed.body)["hash"].text == PolicyDocument.hash(of: Array(document.utf8)))
            let list = try await console.get("/api/v1/policies")["apps"].elements
            #expect(list.map { $0["app"].text } == ["shop"])
            #expect(list[0]["version"].int == 7 && list[0]["agents"].int == 0)
            var policy = try await console.get("/api/v1/policies/shop")["policies"][0]
            #expect(policy["percentage"].double == 10)
            #expect(policy["target"]["appVersions"].elements.map(\.text) == ["2.*"])
            #expect(policy["document"]["off"].elements.map(\.text) == ["replay"])
            #expect(policy["expiresUs"].int == 4_102_358_400_000_000)
            #expect(policy["state"].text == "active")
            // What a change does not name stays.
            let changed = try await Self.change("policies/shop/7", #"{"percentage": 25.5}"#, at: console)
            #expect(try JSONResponse(changed.body)["percentage"].double == 25.5)
            let target = #"{"target": {"systems": ["iOS*"]}}"#
            #expect(try await Self.change("policies/shop/7", target, at: console).status == 200)
            policy = try await console.get("/api/v1/policies/shop")["policies"][0]
            #expect(policy["percentage"].double == 25.5)
            #expect(policy["target"]["appVersions"].elements.isEmpty)
            #expect(policy["target"]["systems"].elements.map(\.text) == ["iOS*"])
            #expect(try await PushedPolicy.request("DELETE", "policies/shop/7", at: console).status == 200)
            let late = try await Self.change("policies/shop/7", #"{"percentage": 1}"#, at: console)
            #expect(late.status == 409 && late.text.contains("push a newer version"), "\(late.text)")
            let audit = try String(contentsOfFile: console.console.configuration.auditPath, encoding: .utf8)
            for line in ["policy-pushed", "policy-changed", "policy-withdrawn"] {
                #expect(audit.contains("\"\(line)\""), "\(audit)")
            }
            // A target that is opened is as much of a change as a share.
            for detail in ["shop 7, 10.0 %, app versions: 1", "shop 7, 25.5 %, systems: 1"] {
                #expect(audit.contains(detail), "\(audit)")
            }
        }
    }

    @Test
    func `what is no policy is refused with what was expected`() async throws {
        try await ConsoleUnderTest.run { console in
            try await PushedPolicy.push(PushedPolicy.document(version: 7), to: console)
            let good = PushedPolicy.document(version: 8)
            let large = String(repeating: " ", count: 66_000)
            let wrong = PushedPolicy.document(version: 8, #", "rates": {"normal": 2}"#)
            for (body, status, reason) in [
                (Array("{".utf8), 400, "expected {"), (Array("[]".utf8), 400, "expected {"),
                (Array("{}".utf8), 400, "base64"),
                (
                    PushedPolicy.body(good, signature: [1, 2, 3]), 400,
                    "signature: expected 64 bytes in base64, found 3",
                ),
                (PushedPolicy.body(good, #", "percent": 10"#), 400, "found \\\"percent\\\""),
                (PushedPolicy.body(good, #", "percentage": 101"#), 400, "percentage: expected 0 to 100, found 101"),
                (PushedPolicy.body(good, #", "target": {"system": ["iOS"]}"#), 400, "found \\\"system\\\""),
                (PushedPolicy.body(good, #", "target": {"systems": [""]}"#), 400, "1 to 256 bytes"),
                (PushedPolicy.body("{"), 400, "$"),
                (PushedPolicy.body(wrong), 400, "$.rates.normal"),
                (PushedPolicy.body(good.replacing("2099", with: "2019")), 400, "$.expires"),
                (PushedPolicy.body(PushedPolicy.document(version: 7)), 409, "expected a version above 7"),
                (PushedPolicy.body(PushedPolicy.document(version: 6)), 409, "found 6"),
                (PushedPolicy.body(good + large), 400, "65536 bytes"),
                (PushedPolicy.body(good + large + large), 413, "at most 131072 bytes"),
            ] as [([UInt8], Int, String)] {
                let response = try await PushedPolicy.request("POST", "policies", body, at: console)
                #expect(response.status == status, "\(reason): \(response.text)")
                #expect(response.text.contains(reason), "\(reason): \(response.text)")
            }
            for (method, path, body, status) in [
                ("GET", "policies/mail", nil, 404), ("DELETE", "policies/shop/8", nil, 404),
                ("DELETE", "policies/shop/seven", nil, 400), ("PATCH", "policies/mail/7", "{}", 404),
                ("PATCH", "policies/shop/7", "{", 400), ("PATCH", "policies/shop/7", #"{"percentage": "a"}"#, 400),
                ("PATCH", "policies/shop/7", #"{"percentage": -1}"#, 400),
            ] as [(String, String, String?, Int)] {
                let response = try await PushedPolicy.request(method, path, body.map { Array($0.utf8) }, at: console)
                #expect(response.status == status, "\(method) \(path): \(response.text)")
            }
            let policies = try await console.get("/api/v1/policies/shop")["policies"].elements
            #expect(policies.map { $0["version"].int } == [7])
            #expect(policies[0]["percentage"].double == 100)
        }
    }

    @Test
    func `a device has the policy that its newest resource names`() async throws {
        try await ConsoleUnderTest.run { console in
            for (time, hash) in [(1, "0011"), (2, "2233")] {
                let body = #"""
                    {"resourceLogs": [{"resource": {"attributes": [
                      {"key": "app.installation.id", "value": {"stringValue": "device-1"}},
                      {"key": "service.name", "value": {"stringValue": "shop"}},
                      {"key": "astrolabe.policy.version", "value": {"stringValue": "\#(hash)"}}]},
                      "scopeLogs": [{"logRecords": [{"timeUnixNano": "\#(time)", "eventName": "demo"}]}]}]}
                    """#
                let response = try await HTTP.request(
                    "POST", "\(console.address)/v1/logs", headers: ["Content-Type": "application/json"],
                    body: Array(body.utf8))
                #expect(response.status == 200, "\(response.text)")
                let device = try await console.get("/api/v1/devices/device-1")["device"]
                #expect(device["policyVersion"].text == hash)
            }
        }
    }

    @Test
    func `a document that cannot be stored is not rolled out, and a damaged file is kept aside`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("policies.json").path
        try Data("[{".utf8).write(to: URL(fileURLWithPath: path))
        try await ConsoleUnderTest.run {
            $0.policiesPath = path
        } _: { console in
            #expect(try String(contentsOfFile: path + ".unreadable", encoding: .utf8) == "[{")
            // A folder in the place of the file that a write begins with.
            try FileManager.default.createDirectory(atPath: path + ".next", withIntermediateDirectories: false)
            let refused = try await PushedPolicy.push(PushedPolicy.document(version: 1), to: console)
            #expect(refused.status == 507, "\(refused.text)")
            var agent = SimulatedAgent(1)
            #expect(try await agent.poll(console).remoteConfig == nil)
            try FileManager.default.removeItem(atPath: path + ".next")
            #expect(try await PushedPolicy.push(PushedPolicy.document(version: 1), to: console).status == 201)
            #expect(try await agent.poll(console).remoteConfig != nil)
        }
    }
}
