import AstrolabeTestSupport
import BrowserKit
import ConsoleAccess
import ConsoleModel
import ConsoleTransports
import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import ServerSupport
import Testing

@testable import TelemetryConsole

/// Tests of a console with keys, over real sockets.
@Suite(.timeLimit(.minutes(5)))
struct AccessTests {
    struct Keys {
        let file: KeyFile

        func make(_ use: KeyUse, services: Set<String>? = nil, rate: Double? = nil) throws -> (id: String, text: String)
        {
            let (key, text) = try file.create("a key", use: use, services: services, requestsPerSecond: rate)
            return (key.id, text)
        }
    }

    /// Runs a console whose file of keys is filled by `prepare` before it starts.
    static func run<Prepared: Sendable>(
        _ adjust: @escaping (inout ConsoleConfiguration) -> Void = { _ in }, keys prepare: (Keys) throws -> Prepared,
        _ body: @escaping @Sendable (ConsoleUnderTest, Prepared) async throws -> Void,
    ) async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = Keys(file: KeyFile(path: folder.appendingPathComponent("keys.json").path, digest: .sha256))
        let prepared = try prepare(keys)
        try await ConsoleUnderTest.run {
            $0.keysPath = keys.file.path
            adjust(&$0)
        } _: { console in
            try await body(console, prepared)
        }
    }

    static func bearer(_ key: String) -> [String: String] { ["Authorization": "Bearer \(key)"] }

    static func post(
        _ body: JSON, to signal: Signal, at console: ConsoleUnderTest, _ headers: [String: String],
    ) async throws -> HTTP.Response {
        try await HTTP.request(
            "POST", "\(console.address)/v1/\(signal.rawValue)",
            headers: headers.merging(["Content-Type": "application/json"]) { $1 }, body: body.bytes)
    }

    static func send(_ visit: ShopVisit, to console: ConsoleUnderTest, _ key: String) async throws {
        let bodies: [(JSON, Signal)] = [
            (visit.phoneTraceBody, .traces), (visit.backendTraceBody, .traces), (visit.phoneLogBody, .logs),
            (visit.backendLogBody, .logs),
        ]
        for (body, signal) in bodies {
            #expect(try await post(body, to: signal, at: console, bearer(key)).status == 200)
        }
    }

    @Test
    func `telemetry is stored with the right key alone, in either header`() async throws {
        try await Self.run(keys: { keys in
            let old = try keys.make(.ingest)
            _ = try keys.file.revoke(old.id)
            return (
                right: try keys.make(.ingest, services: ["astronomy-shop", "shop-backend"]),
                other: try keys.make(.ingest, services: ["another-app"]), old: old, viewer: try keys.make(.view),
            )
        }) { console, keys in
            let (right, other, old, viewer) = keys
            let visit = ShopVisit.purchase()
            let bodies: [(JSON, Signal)] = [
                (visit.phoneTraceBody, .traces), (visit.phoneLogBody, .logs), (visit.backendTraceBody, .traces),
            ]
            let wrong: [(headers: [String: String], status: Int)] = [
                ([:], 401), (["Authorization": "Basic \(right.text)"], 401), (Self.bearer("guess"), 401),
                (Self.bearer(old.text), 401), (Self.bearer(viewer.text), 403), (Self.bearer(other.text), 403),
                (["Cookie": "astrolabe-session-\(old.id)-\(console.port)=\(right.text)"], 401),
            ]
            for (body, signal) in bodies {
                for (headers, status) in wrong {
                    let response = try await Self.post(body, to: signal, at: console, headers)
                    #expect(response.status == status, "\(headers)")
                    #expect(response.text.contains("\"message\""))
                    #expect((response[header: "WWW-Authenticate"] != nil) == (status == 401))
                }
            }
            #expect(try await console.console.store.statistics().sessions == 0)
            #expect(try await console.console.store.arrivals?.lastSequence() == 0)
            for (body, signal) in bodies {
                for headers in [Self.bearer(right.text), ["x-honeycomb-team": right.text]] {
                    #expect(try await Self.post(body, to: signal, at: console, headers).status == 200)
                }
            }
            #expect(try await console.console.store.session(visit.session) != nil)
        }
    }

    @Test
    func `nothing of the API is shown without a viewer's key, and pages have nothing to show`() async throws {
        try await Self.run(keys: { keys in
            let old = try keys.make(.view)
            _ = try keys.file.revoke(old.id)
            return (sender: try keys.make(.ingest), viewer: try keys.make(.view), old: old)
        }) { console, keys in
            let (sender, viewer, old) = keys
            let visit = ShopVisit.purchase()
            try await Self.send(visit, to: console, sender.text)
            for route in ConsoleRoute.all {
                // Senders are in the tests of OTLP's endpoints.
                guard case .key = route.access else { continue }
                let path = route.path.filled { $0 == "session" ? visit.session : "x" }
                for (headers, status) in [
                    ([:], 401), (Self.bearer(sender.text), 403), (Self.bearer(old.text), 401),
                    // A key is no session.
                    (["Cookie": "astrolabe-session-\(old.id)-\(console.port)=\(viewer.text)"], 401),
                ] {
                    let response = try await HTTP.request(
                        route.method.rawValue, console.address + path, headers: headers)
                    #expect(response.status == status, "\(route.method) \(path)")
                    #expect(!response.text.contains(visit.session))
                }
            }
            for path in ["/", "/sessions/\(visit.session)", "/assets/pages/app.js", "/sign-in"] {
                let response = try await HTTP.request("GET", console.address + path)
                #expect(response.status == 200)
                #expect(!response.text.contains(visit.session))
            }
            let session = try await Self.signIn(viewer.text, to: console)
            for headers in [Self.bearer(viewer.text), ["Cookie": "theme=dark; \(session)"]] {
                let response = try await HTTP.request(
                    "GET", console.address + "/api/v1/sessions/\(visit.session)", headers: headers)
                #expect(response.status == 200)
            }
        }
    }

    @Test
    func `a browser signs in by a cookie that scripts and other sites cannot use`() async throws {
        try await Self.run(keys: {
            try $0.make(.view)
        }) { console, viewer in
            let address = console.address + "/api/v1/access"
            let json = ["Content-Type": "application/json"]
            let body = Array("{\"key\":\"\(viewer.text)\\n\"}".utf8)
            let response = try await HTTP.request("POST", address, headers: json, body: body)
            #expect(response.status == 200)
            let cookie = try #require(response[header: "Set-Cookie"])
            let parts = cookie.split(separator: "; ", maxSplits: 1)
            let name = String(parts[0].prefix { $0 != "=" })
            #expect(name.wholeMatch(of: /astrolabe-session-[0-9a-f]{8}-\d+/) != nil)
            #expect(name.hasSuffix("-\(console.port)"))
            #expect(parts[0].dropFirst(name.count).wholeMatch(of: #/=[A-Za-z0-9_-]{43}/#) != nil)
            #expect(parts[1] == "Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict")
            #expect(!cookie.contains(viewer.text.suffix(20)))
            #expect(!response.text.contains(viewer.text))
            let proxied = json.merging(["X-Forwarded-Proto": "https"]) { $1 }
            let secure = try await HTTP.request("POST", address, headers: proxied, body: body)
            #expect(secure[header: "Set-Cookie"]?.hasSuffix("SameSite=Strict; Secure") == true)
            let foreign = json.merging(["Origin": "https://evil.example.com"]) { $1 }
            #expect(try await HTTP.request("POST", address, headers: foreign, body: body).status == 403)
            #expect(try await HTTP.request("POST", address, body: body).status == 415)
            #expect(try await HTTP.request("POST", address, headers: json, body: Array("{}".utf8)).status == 400)
            let long = Array(repeating: UInt8(ascii: "x"), count: 5_000)
            #expect(try await HTTP.request("POST", address, headers: json, body: long).status == 413)
            let session = ["Cookie": String(cookie.prefix { $0 != ";" })]
            let leaving = try await HTTP.request("DELETE", address, headers: session)
            #expect(leaving[header: "Set-Cookie"]?.hasPrefix("\(name)=; Path=/; Max-Age=0; HttpOnly") == true)
            // A second time there is nothing to sign out.
            #expect(try await HTTP.request("DELETE", address, headers: session).status == 200)
            let audit = try String(contentsOfFile: console.console.configuration.auditPath, encoding: .utf8)
            #expect(audit.ranges(of: "\"sign-out\"").count == 1)
        }
    }

    @Test
    func `a copied cookie is worth nothing after its owner has signed out, or its key was revoked`() async throws {
        try await Self.run(keys: {
            (file: $0.file, viewer: try $0.make(.view))
        }) { console, keys in
            func status(_ session: String) async throws -> Int {
                try await HTTP.request("GET", console.address + "/api/v1/status", headers: ["Cookie": session]).status
            }
            let (first, second) = (
                try await Self.signIn(keys.viewer.text, to: console),
                try await Self.signIn(keys.viewer.text, to: console),
            )
            #expect(first != second)
            #expect(try await status(first) == 200)
            let leaving = try await HTTP.request(
                "DELETE", console.address + "/api/v1/access", headers: ["Cookie": first])
            #expect(leaving.status == 200)
            #expect(try await status(first) == 401)
            #expect(try await status(second) == 200)
            _ = try keys.file.revoke(keys.viewer.id)
            try await eventually("the console has looked at its keys") { try await status(second) == 401 }
        }
    }

    /// Signs in as a browser without a cookie does.
    ///
    /// - Returns: The cookie's name and value.
    static func signIn(_ key: String, to console: ConsoleUnderTest) async throws -> String {
        let response = try await HTTP.request(
            "POST", console.address + "/api/v1/access",
            headers: ["Content-Type": "application/json"],
            body: Array("{\"key\":\"\(key)\"}".utf8))
        let cookie = try #require(response[header: "Set-Cookie"])
        return String(cookie.prefix { $0 != ";" })
    }

    @Test
    func `a sender that exceeds the rate of its key waits, and its records are not lost`() async throws {
        try await Self.run(keys: {
            // A request in almost three hours, so that a slow machine refills nothing.
            try $0.make(.ingest, rate: 0.0001)
        }) { console, sender in
            let body = ShopVisit.purchase().phoneLogBody
            #expect(try await Self.post(body, to: .logs, at: console, Self.bearer(sender.text)).status == 200)
            let refused = try await Self.post(body, to: .logs, at: console, Self.bearer(sender.text))
            #expect(refused.status == 429)
            #expect(refused[header: "Retry-After"].flatMap { Int($0) }.map { (9_000...10_000).contains($0) } == true)
        }
    }

    @Test
    func `a page that follows changes loses its connection when its key is revoked`() async throws {
        try await Self.run(
            {
                $0.limits.heartbeat = .milliseconds(20)
            },
            keys: {
                (file: $0.file, viewer: try $0.make(.view))
            },
        ) { console, keys in
            let (file, viewer) = keys
            let stream = try LineSocket.request(
                port: console.port,
                "GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(viewer.text)\r\n\r\n")
            var lines = stream.lines.makeAsyncIterator()
            #expect(await lines.next()?.contains("200") == true)
            _ = try file.revoke(viewer.id)
            // The last chunk of the response.
            while let line = await lines.next(), line != "0" {}
        }
    }

    @Test
    func `the console refuses to be reached by others until there are keys`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = ConsoleUnderTest.configuration(in: folder)
        var open = configuration
        open.host = "0.0.0.0"
        var proxied = configuration
        proxied.publicNames = ["console.example.com"]
        for exposed in [open, proxied] {
            let host = exposed.publicNames.first ?? exposed.host
            let refusal = ConsoleError.keysMissing(host: host, path: exposed.keysPath)
            let error = await #expect(throws: ConsoleError.self) { _ = try await ConsoleServer(exposed) }
            #expect(error == refusal)
            #expect(refusal.description.contains("astrolabe keys create"))
        }
        let keys = KeyFile(path: configuration.keysPath, digest: .sha256)
        let old = try keys.create("old", use: .view).key
        _ = try keys.revoke(old.id)
        let exposed = open
        await #expect(throws: ConsoleError.self) { _ = try await ConsoleServer(exposed) }
        _ = try keys.create("new", use: .view)
        let console = try await ConsoleServer(exposed)
        await console.store.close()
    }

    @Test
    func `a file of keys that cannot be read stops the start and, later, everyone`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = ConsoleUnderTest.configuration(in: folder)
        try Data("{".utf8).write(to: URL(fileURLWithPath: configuration.keysPath))
        await #expect(throws: ConsoleError.self) { _ = try await ConsoleServer(configuration) }
        try await Self.run(keys: {
            (file: $0.file, viewer: try $0.make(.view))
        }) { console, keys in
            let headers = Self.bearer(keys.viewer.text)
            #expect(try await HTTP.request("GET", console.address + "/api/v1/status", headers: headers).status == 200)
            try Data("{".utf8).write(to: URL(fileURLWithPath: keys.file.path))
            try await eventually("the console has looked at its keys") {
                try await HTTP.request("GET", console.address + "/api/v1/status", headers: headers).status == 503
            }
            #expect(try await HTTP.request("GET", console.address + "/api/v1/status").status == 503)
        }
    }

    @Test
    func `a proxy may pass on a public name, and other names are refused`() async throws {
        let origin = RequestOrigin(listeningOn: "127.0.0.1", publicNames: ["console.example.com"])
        for (authority, isAdmitted) in [
            ("console.example.com", true), ("Console.Example.com:443", true), ("localhost:4318", true),
            ("evil.example.com", false), ("console.example.com.evil.com", false),
        ] {
            let head = HTTPTypes.HTTPRequest(method: .get, scheme: nil, authority: authority, path: "/")
            #expect(((try? origin.check(head)) != nil) == isAdmitted, "\(authority)")
        }
    }

    @Test
    func `no key is in a log, in an answer or in the audit log`() async throws {
        let log = InMemoryLogHandler()
        try await Self.run(
            {
                $0.logger = Logger(label: "console") { _ in log }
                $0.logger.logLevel = .trace
            },
            keys: {
                (sender: try $0.make(.ingest), viewer: try $0.make(.view))
            },
        ) { console, keys in
            let (sender, viewer) = keys
            let visit = ShopVisit.purchase()
            var texts: [String] = []
            for key in [sender.text, viewer.text, "canary-guess"] {
                texts.append(try await Self.post(visit.phoneLogBody, to: .logs, at: console, Self.bearer(key)).text)
                for path in ["status", "access", "sessions", "boards/none", "symbols"] {
                    let address = console.address + "/api/v1/" + path
                    texts.append(try await HTTP.request("GET", address, headers: Self.bearer(key)).text)
                }
            }
            texts += log.entries.map { "\($0.message) \($0.metadata)" }
            let audit = try String(contentsOfFile: console.console.configuration.auditPath, encoding: .utf8)
            #expect(audit.contains("\"unknown-key\"") && audit.contains(sender.id))
            for text in texts + [audit] {
                for secret in [sender.text, viewer.text, "canary-guess"] { #expect(!text.contains(secret.suffix(20))) }
            }
        }
    }
}
