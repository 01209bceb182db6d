import AstrolabeGzip
import AstrolabeOpAMP
import AstrolabePlatform
import AstrolabePolicyDocument
import BrowserKit
import ConsoleAccess
import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import TelemetryConsole

/// Tests of devices that ask for their policy, over real sockets and files.
@Suite(.timeLimit(.minutes(5)))
struct OpAMPTests {
    @Test
    func `a device gets the document that is for it once, byte by byte`() async throws {
        try await ConsoleUnderTest.run { console in
            var agent = SimulatedAgent(1)
            let first = try await agent.poll(console)
            #expect(first.instanceUID == agent.uid)
            #expect(first.capabilities == [.acceptsStatus, .offersRemoteConfig])
            #expect(first.remoteConfig == nil && first.flags == [] && first.errorResponse == nil)
            let document = PushedPolicy.document(version: 1, #", "rates": {"normal": 0.05} "#)
            #expect(try await PushedPolicy.push(document, to: console).status == 201)
            try await PushedPolicy.push(PushedPolicy.document(version: 1, app: "mail"), to: console)
            let offered = try await agent.poll(console, isFull: false)
            #expect(agent.documents == [document])
            let offer = try #require(offered.remoteConfig.flatMap { PolicyOffer($0) })
            #expect(offer.signature == [UInt8](repeating: 7, count: 64))
            #expect(try await agent.poll(console, isFull: false).remoteConfig == nil)
            // A document that it refuses is not sent again, and its reason is shown.
            agent.refusal = "The document has expired"
            try await PushedPolicy.push(PushedPolicy.document(version: 2), to: console)
            for _ in 0..<3 { try await agent.poll(console, isFull: false) }
            #expect(agent.documents == [document, PushedPolicy.document(version: 2)])
            let use = try await console.get("/api/v1/policies/shop")["use"]
            #expect(use["refusals"].elements.map { $0["message"].text } == ["The document has expired"])
            #expect(use["refusals"][0]["version"].int == 2)
            #expect(use["versions"].elements.map { $0["version"].int } == [1])
            #expect(use["versions"][0]["hash"].text == PolicyDocument.hash(of: Array(document.utf8)))
        }
    }

    @Test
    func `an unknown device and one whose message was lost are asked to report in full`() async throws {
        try await ConsoleUnderTest.run { console in
            try await PushedPolicy.push(PushedPolicy.document(version: 1), to: console)
            var agent = SimulatedAgent(1)
            let unknown = try await agent.poll(console, isFull: false)
            #expect(unknown.flags == .reportFullState && unknown.remoteConfig == nil)
            #expect(try await agent.poll(console).flags == [])
            #expect(agent.documents.count == 1)
            agent.loseMessage()
            #expect(try await agent.poll(console, isFull: false).flags == .reportFullState)
            #expect(try await agent.poll(console).flags == [])
            var last = agent.message(isFull: false)
            last.isDisconnecting = true
            #expect(try await SimulatedAgent.post(last.bytes, at: console).status == 200)
            #expect(await console.console.policies.table.agents.values.first?.isDisconnected == true)
            var other = SimulatedAgent(2)
            other.installation = ""
            var newcomer = other.message()
            newcomer.flags = .requestInstanceUID
            let named = try ServerToAgent(
                decoding: try await SimulatedAgent.post(newcomer.bytes, at: console).body)
            #expect(named.newInstanceUID.count == 16 && named.newInstanceUID != newcomer.instanceUID)
            // Its place in a roll-out goes by the id that it has from now on.
            let agents = await console.console.policies.table.agents
            #expect(agents.values.contains { $0.device.installation == $0.id && $0.id == named.newInstanceUID.hex })
        }
    }

    @Test
    func `a device follows no older document than its own, and a withdrawn one is sent to no other`() async throws {
        try await ConsoleUnderTest.run { console in
            let (first, second) = (PushedPolicy.document(version: 1), PushedPolicy.document(version: 2))
            try await PushedPolicy.push(first, to: console)
            try await PushedPolicy.push(second, to: console)
            var early = SimulatedAgent(1)
            try await early.poll(console)
            let withdrawn = try await PushedPolicy.request("DELETE", "policies/shop/2", at: console)
            #expect(try JSONResponse(withdrawn.body)["state"].text == "withdrawn")
            var late = SimulatedAgent(2)
            try await late.poll(console)
            #expect(late.documents == [first])
            #expect(try await early.poll(console).remoteConfig == nil)
            let third = PushedPolicy.document(version: 3)
            try await PushedPolicy.push(third, to: console)
            for _ in 0..<2 {
                try await early.poll(console)
                try await late.poll(console)
            }
            #expect(early.documents == [second, third])
            #expect(late.documents == [first, third])
        }
    }

    @Test
    func `an expired document is sent to no device, and is not taken`() async throws {
        // 100 s before the documents expire.
        let seconds = Locked<UInt64>(4_102_358_300)
        try await ConsoleUnderTest.run {
            $0.store.now = { seconds.withLock { $0 } * 1_000_000_000 }
        } _: { console in
            let document = PushedPolicy.document(version: 1)
            try await PushedPolicy.push(document, to: console)
            var early = SimulatedAgent(1)
            try await early.poll(console)
            seconds.withLock { $0 += 100 }
            var late = SimulatedAgent(2)
            try await late.poll(console)
            #expect(early.documents == [document])
            #expect(late.documents == [])
            let refused = try await PushedPolicy.push(PushedPolicy.document(version: 2), to: console)
            #expect(refused.status == 400 && refused.text.contains("$.expires"), "\(refused.text)")
            let state = try await console.get("/api/v1/policies/shop")["policies"][0]["state"].text
            #expect(state == "expired")
        }
    }

    @Test
    func `a device that has not asked for as long as records are kept is forgotten`() async throws {
        let seconds = Locked<UInt64>(1_790_000_000)
        try await ConsoleUnderTest.run {
            $0.store.now = { seconds.withLock { $0 } * 1_000_000_000 }
            $0.store.retention.age = .seconds(86_400)
        } _: { console in
            let policies = console.console.policies
            var early = SimulatedAgent(1)
            try await early.poll(console)
            seconds.withLock { $0 += 86_400 }
            var late = SimulatedAgent(2)
            try await late.poll(console)
            await policies.storeAgents()
            #expect(await policies.table.agents.count == 2)
            seconds.withLock { $0 += 1 }
            await policies.storeAgents()
            let known = await policies.table.agents.values.map(\.device.installation)
            #expect(known == [late.installation])
        }
    }

    @Test
    func `policies and agents outlive the console`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let document = PushedPolicy.document(version: 4)
        let adjust: (inout ConsoleConfiguration) -> Void = {
            $0.policiesPath = folder.appendingPathComponent("policies.json").path
            $0.policyAgentsPath = folder.appendingPathComponent("policy-agents.json").path
        }
        let agent = try await ConsoleUnderTest.run(adjust) { console in
            try await PushedPolicy.push(document, #", "percentage": 100"#, to: console)
            var agent = SimulatedAgent(1)
            try await agent.poll(console)
            try await agent.poll(console)
            return agent
        }
        let mode =
            try FileManager.default.attributesOfItem(
                atPath: folder.appendingPathComponent("policies.json").path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try await ConsoleUnderTest.run(adjust) { console in
            var agent = agent
            let next = try await agent.poll(console, isFull: false)
            #expect(next.flags == [] && next.remoteConfig == nil)
            let shop = try await console.get("/api/v1/policies/shop")
            #expect(shop["policies"].elements.map { $0["version"].int } == [4])
            #expect(shop["use"]["versions"].elements.map { $0["version"].int } == [4])
            var other = SimulatedAgent(2)
            try await other.poll(console)
            #expect(other.documents == [document])
        }
    }

    @Test
    func `a device needs a key for policies that is for its app`() async throws {
        try await AccessTests.run(keys: { keys in
            (
                right: try keys.make(.policy, services: ["shop"]).text, any: try keys.make(.policy).text,
                other: try keys.make(.policy, services: ["mail"]).text, sender: try keys.make(.ingest).text,
                viewer: try keys.make(.view).text,
            )
        }) { console, keys in
            try await PushedPolicy.push(PushedPolicy.document(version: 1), to: console, key: keys.viewer)
            var agent = SimulatedAgent(1)
            for (key, status) in [
                (nil, 401), ("guess", 401), (keys.sender, 403), (keys.viewer, 403), (keys.other, 403),
                (keys.right, 200), (keys.any, 200),
            ] as [(String?, Int)] {
                let response = try await SimulatedAgent.post(agent.message().bytes, at: console, key: key)
                #expect(response.status == status, "\(response.text)")
            }
            // The console knows whose agent it is, also if the message does not say.
            let hidden = try await SimulatedAgent.post(
                agent.message(isFull: false).bytes, at: console, key: keys.other)
            #expect(hidden.status == 403)
            #expect(hidden.text.contains("found service.name shop"), "\(hidden.text)")
            for key in [keys.right, keys.sender] {
                let response = try await PushedPolicy.request("GET", "policies", at: console, key: key)
                #expect(response.status == 403)
            }
        }
    }

    @Test
    func `a device waits if its key is used too often`() async throws {
        try await AccessTests.run(keys: { try $0.make(.policy, rate: 0.0001).text }) { console, key in
            var agent = SimulatedAgent(1)
            try await agent.poll(console, key: key)
            let refused = try await SimulatedAgent.post(agent.message().bytes, at: console, key: key)
            #expect(refused.status == 429)
            #expect(refused[header: "Retry-After"] != nil)
        }
    }

    @Test
    func `bytes that are no message are refused with what was expected`() async throws {
        try await ConsoleUnderTest.run { console in
            var agent = SimulatedAgent(1)
            let good = agent.message().bytes
            let bomb = try GzipCoder.compress(Array(repeating: 0, count: 1 << 20))
            for (body, headers, status, reason) in [
                (good, ["Content-Type": "application/json"], 415, "application/x-protobuf"),
                (good, ["Content-Encoding": "br"], 415, "gzip"),
                (good, ["Content-Encoding": "gzip"], 400, "damaged"),
                (bomb, ["Content-Encoding": "gzip"], 413, "65536 bytes once decompressed"),
                ([UInt8](repeating: 0, count: 70_000), [:], 413, "at most 65536 bytes"),
                ([], [:], 400, "instance_uid"),
                (Array("hello".utf8), [:], 400, "expected AgentToServer"),
                (Array(good.dropLast()), [:], 400, "expected"),
                ([0x0A, 0x03, 1, 2, 3], [:], 400, "16 bytes"),
            ] as [([UInt8], [String: String], Int, String)] {
                let response = try await SimulatedAgent.post(body, at: console, headers: headers)
                #expect(response.status == status, "\(reason)")
                let decoded = try ServerToAgent(decoding: response.body)
                #expect(decoded.errorResponse?.kind == .badRequest)
                #expect(decoded.errorResponse?.message.contains(reason) == true, "\(decoded)")
            }
            let packed = try await SimulatedAgent.post(
                try GzipCoder.compress(good), at: console, headers: ["Content-Encoding": "gzip"])
            #expect(packed.status == 200)
            #expect(await console.console.policies.table.agents.count == 1)
        }
    }

    @Test
    func `a device that names no app is answered, and makes no app without a name`() async throws {
        try await ConsoleUnderTest.run { console in
            var agent = SimulatedAgent(1)
            agent.app = ""
            let response = try await agent.poll(console)
            #expect(response.flags == [] && response.remoteConfig == nil && response.errorResponse == nil)
            #expect(try await console.get("/api/v1/policies")["apps"].elements.isEmpty)
        }
    }

    @Test
    func `an app and an installation have names as long as a document may say`() async throws {
        try await ConsoleUnderTest.run { console in
            var agent = SimulatedAgent(1)
            agent.app = String(repeating: "a", count: 256)
            agent.installation = String(repeating: "i", count: 256)
            let document = PushedPolicy.document(version: 1, app: agent.app)
            let target = #", "target": {"installations": ["\#(agent.installation)"]}"#
            let pushed = try await PushedPolicy.push(document, target, to: console)
            #expect(pushed.status == 201, "\(pushed.text)")
            try await agent.poll(console)
            #expect(agent.documents == [document])
        }
    }

    @Test
    func `what a device says of itself takes a bounded number of bytes`() async throws {
        try await ConsoleUnderTest.run { console in
            var agent = SimulatedAgent(1)
            // One character.
            let large = "e" + String(repeating: "\u{301}", count: 10_000)
            agent.appVersion = large
            agent.refusal = large
            try await PushedPolicy.push(PushedPolicy.document(version: 1), to: console)
            for _ in 0..<2 { try await agent.poll(console) }
            let known = try #require(await console.console.policies.table.agents.values.first)
            #expect((1...260).contains(known.device.appVersion.utf8.count))
            #expect((1...504).contains(known.message.utf8.count))
        }
    }

    @Test
    func `agents of many unknown apps are listed by the apps that have the most of them`() async throws {
        try await ConsoleInProcess.run { console in
            for number in 0..<102 {
                var agent = SimulatedAgent(number)
                agent.app = number < 2 ? "frequent" : "app-\(number)"
                let response = try await console.client.executeRequest(
                    uri: "/v1/opamp", method: .post, headers: [.contentType: OpAMP.contentType],
                    body: ByteBuffer(bytes: agent.message().bytes))
                #expect(response.status == .ok)
            }
            let apps = try await console.get("/api/v1/policies")["apps"].elements
            #expect(apps.count == 100)
            #expect(apps.first { $0["app"].text == "frequent" }?["agents"].int == 2)
        }
    }

    @Test
    func `a thousand devices get a document within one poll each, and half of them at 50 percent`() async throws {
        try await ConsoleInProcess.run { console in
            var agents = (0..<1_000).map { SimulatedAgent($0) }
            var requests = 0
            func poll(isFull: Bool) async throws {
                for index in agents.indices {
                    let response = try await console.client.executeRequest(
                        uri: "/v1/opamp", method: .post, headers: [.contentType: OpAMP.contentType],
                        body: ByteBuffer(bytes: agents[index].message(isFull: isFull).bytes))
                    requests += 1
                    agents[index].take(try ServerToAgent(decoding: Array(buffer: response.body)))
                }
            }
            func change(_ method: HTTPTypes.HTTPRequest.Method, _ path: String, _ body: [UInt8]) async throws -> Int {
                try await console.client.executeRequest(
                    uri: "/api/v1/" + path, method: method, headers: [.contentType: "application/json"],
                    body: ByteBuffer(bytes: body),
                ).status.code
            }
            try await poll(isFull: true)
            let document = PushedPolicy.document(version: 1)
            let body = PushedPolicy.body(document, #", "percentage": 50"#)
            #expect(try await change(.post, "policies", body) == 201)
            try await poll(isFull: false)
            let half = agents.filter { $0.documents.count == 1 }
            #expect((430...570).contains(half.count), "\(half.count)")
            #expect(try await change(.patch, "policies/shop/1", Array(#"{"percentage": 100}"#.utf8)) == 200)
            try await poll(isFull: false)
            #expect(agents.allSatisfy { $0.documents == [document] })
            #expect(requests == 3_000)
            // The last poll reports what the one before got.
            try await poll(isFull: false)
            let use = try await console.get("/api/v1/policies/shop")["use"]
            #expect(use["agents"].int == 1_000)
            #expect(use["versions"].elements.map { $0["agents"].int } == [1_000])
            #expect(agents.allSatisfy { $0.documents.count == 1 })
        }
    }
}
