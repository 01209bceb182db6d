import AstrolabeTestSupport
import BrowserKit
import ConsoleAccess
import ConsoleTransports
import Foundation
import GRPCCore
import Testing

@testable import TelemetryConsole

/// Keys that expire, when keys were used, and cookies of several consoles.
extension AccessTests {
    private static func status(_ cookies: String, at console: ConsoleUnderTest) async throws -> Int {
        try await HTTP.request("GET", console.address + "/api/v1/status", headers: ["Cookie": cookies]).status
    }

    @Test
    func `an expired key is refused at each door with its reason, and audited`() async throws {
        let end = Date(timeIntervalSince1970: 1_700_000_000)
        try await Self.run(
            { $0.grpcPort = 0 },
            keys: {
                (
                    viewer: try $0.file.create("Ada", use: .view, expires: end),
                    sender: try $0.file.create("app", use: .ingest, expires: end),
                )
            },
        ) { console, keys in
            let (viewer, sender) = keys
            let reason = "key \(viewer.key.id) expired at 2023-11-14T22:13:20Z"
            let read = try await HTTP.request(
                "GET", console.address + "/api/v1/status", headers: Self.bearer(viewer.text))
            #expect(read.status == 401 && read[header: "WWW-Authenticate"] == "Bearer")
            #expect(try JSONResponse(read.body)["error"].text?.hasPrefix(reason) == true)
            let signIn = try await HTTP.request(
                "POST", console.address + "/api/v1/access", headers: ["Content-Type": "application/json"],
                body: Array("{\"key\":\"\(viewer.text)\"}".utf8))
            #expect(signIn.status == 401 && signIn[header: "Set-Cookie"] == nil)
            #expect(try JSONResponse(signIn.body)["error"].text?.hasPrefix(reason) == true)
            let body = ShopVisit.purchase().phoneLogBody
            let sent = try await Self.post(body, to: .logs, at: console, Self.bearer(sender.text))
            #expect(sent.status == 401)
            #expect(try JSONResponse(sent.body)["message"].text?.contains("expired") == true)
            try await GRPCSender.run(console) { client async throws in
                let error = await #expect(throws: RPCError.self) {
                    let metadata: Metadata = ["authorization": "Bearer \(sender.text)"]
                    _ = try await client.send(ProtobufFixture.log, to: .logs, metadata: metadata)
                }
                #expect(error?.code == .unauthenticated)
            }
            let audit = try String(contentsOfFile: console.console.configuration.auditPath, encoding: .utf8)
            for key in [viewer.key, sender.key] {
                #expect(audit.split(separator: "\n").contains { $0.contains(key.id) && $0.contains("expired-key") })
            }
        }
    }

    @Test
    func `the cookie of a key that expires lasts no longer than the key, and neither does its session`() async throws {
        let hour = Date() + 3_600
        try await Self.run(keys: { keys in
            (file: keys.file, viewer: try keys.file.create("Ada", use: .view, expires: hour))
        }) { console, keys in
            let place = console.address + "/api/v1/access"
            let response = try await HTTP.request(
                "POST", place, headers: ["Content-Type": "application/json"],
                body: Array("{\"key\":\"\(keys.viewer.text)\"}".utf8))
            let cookie = try #require(response[header: "Set-Cookie"])
            let age = try #require(cookie.firstMatch(of: /Max-Age=(\d+)/).flatMap { Int($0.1) })
            #expect((1...3_600).contains(age))
            let session = String(cookie.prefix { $0 != ";" })
            let known = try JSONResponse(try await HTTP.request("GET", place, headers: ["Cookie": session]).body)
            #expect(known["key"]["expires"].text == keys.viewer.key.expires?.formatted(.iso8601))
            #expect(try await Self.status(session, at: console) == 200)
            let text = try String(contentsOfFile: keys.file.path, encoding: .utf8)
            let end = try #require(keys.viewer.key.expires?.formatted(.iso8601))
            try text.replacing(end, with: "2020-01-01T00:00:00Z").write(
                toFile: keys.file.path, atomically: true, encoding: .utf8)
            try await eventually("the console has looked at its keys") {
                try await Self.status(session, at: console) == 401
            }
        }
    }

    @Test(arguments: [true, false])
    func `two consoles of one host keep their sessions apart, whether they share their keys or not`(
        isShared: Bool
    ) async throws {
        try await Self.run(keys: {
            (file: $0.file, viewer: try $0.make(.view))
        }) { first, keys in
            let otherKeys = try Scratch.folder()
            defer { try? FileManager.default.removeItem(at: otherKeys) }
            let file = KeyFile(path: otherKeys.appendingPathComponent("keys.json").path, digest: .sha256)
            let other = try isShared ? keys.viewer.text : file.create("Ada", use: .view).text
            try await ConsoleUnderTest.run {
                $0.keysPath = isShared ? keys.file.path : file.path
            } _: { second in
                let cookies = [
                    try await Self.signIn(keys.viewer.text, to: first), try await Self.signIn(other, to: second),
                ]
                // A browser has one cookie of each name, and sends them to both.
                #expect(Set(cookies.map { $0.prefix { $0 != "=" } }).count == 2)
                let all = cookies.joined(separator: "; ")
                #expect(try await Self.status(all, at: first) == 200)
                #expect(try await Self.status(all, at: second) == 200)
                let leaving = try await HTTP.request(
                    "DELETE", second.address + "/api/v1/access", headers: ["Cookie": all])
                let removed = try #require(leaving[header: "Set-Cookie"]).prefix { $0 != "=" }
                #expect(removed == cookies[1].prefix { $0 != "=" })
                #expect(try await Self.status(all, at: first) == 200)
                #expect(try await Self.status(all, at: second) == 401)
            }
        }
    }

    @Test
    func `behind a proxy that leaves out the port, the configured ports tell consoles apart`() async throws {
        try await Self.run(
            { $0.publicNames = ["console.example.com"] },
            keys: {
                try $0.make(.view)
            },
        ) { console, viewer in
            let body = "{\"key\":\"\(viewer.text)\"}"
            let head = [
                "POST /api/v1/access HTTP/1.1", "Host: console.example.com", "Content-Type: application/json",
                "Content-Length: \(body.utf8.count)", "", body,
            ]
            let stream = try LineSocket.request(port: console.port, head.joined(separator: "\r\n"))
            let cookie = await stream.lines.first { $0.lowercased().hasPrefix("set-cookie:") }
            stream.hangUp()
            #expect(cookie?.contains("astrolabe-session-\(viewer.id)-\(console.console.configuration.port)=") == true)
        }
    }

    @Test
    func `the last use of a key outlives the console, and is not written for each request`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = KeyFile(path: folder.appendingPathComponent("keys.json").path, digest: .sha256)
        let viewer = try file.create("Ada", use: .view)
        let unused = try file.create("Grace", use: .view)
        try await ConsoleUnderTest.run {
            $0.keysPath = file.path
            $0.keyUseInterval = .seconds(3_600)
        } _: { console in
            let session = try await Self.signIn(viewer.text, to: console)
            for _ in 0..<5 { #expect(try await Self.status(session, at: console) == 200) }
            #expect(file.lastUses().isEmpty)
        }
        #expect(file.lastUses()[viewer.key.id] != nil)
        #expect(file.lastUses()[unused.key.id] == nil)
    }

    @Test
    func `a console that runs stores the last use of keys from time to time`() async throws {
        try await Self.run(
            { $0.keyUseInterval = .milliseconds(20) },
            keys: {
                (file: $0.file, viewer: try $0.make(.view))
            },
        ) { console, keys in
            let headers = Self.bearer(keys.viewer.text)
            #expect(try await HTTP.request("GET", console.address + "/api/v1/status", headers: headers).status == 200)
            try await eventually("the use is stored") { keys.file.lastUses()[keys.viewer.id] != nil }
        }
    }
}
