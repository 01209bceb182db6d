import AstrolabeTestSupport
import BrowserKit
import ConsoleAccess
import ConsoleTransports
import Foundation
import Testing

@testable import TelemetryConsole

/// Tests of the tools for coding assistants.
@Suite(.timeLimit(.minutes(10)))
struct MCPTests {
    private static let client = ProcessInfo.processInfo.environment["ASTROLABE_OTLP_CLIENTS"]

    private static func post(
        _ text: String, at console: ConsoleUnderTest, _ headers: [String: String] = [:],
    ) async throws -> HTTP.Response {
        try await HTTP.request(
            "POST", console.address + "/mcp", headers: headers.merging(["Content-Type": "application/json"]) { $1 },
            body: Array(text.utf8))
    }

    private static func message(_ method: String, _ parameters: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":\#(parameters)}"#
    }

    private static func call(
        _ tool: String, _ arguments: String = "{}", at console: ConsoleUnderTest,
    ) async throws -> JSONResponse {
        let response = try await post(
            message("tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#), at: console)
        return try JSONResponse(response.body)
    }

    /// Sends a visit that ends in a crash, with its replay and a metric, and returns its session.
    private static func send(to console: ConsoleUnderTest) async throws -> String {
        let replay = try ReplayVisit.crash()
        try await console.send(replay.visit)
        try await console.send(replay.body, to: .logs)
        let metric = OTLPBody.metric(
            [("service.name", "shop")], name: "shop.orders", unit: "{order}", isCounter: true,
            start: replay.visit.events[0].time, points: [([("kind", "express")], 1, 2)])
        try await console.send(metric, to: .metrics)
        return replay.visit.session
    }

    /// Arguments for every tool, with ids of what was sent.
    private static func arguments(
        _ console: ConsoleUnderTest, _ session: String,
    ) async throws -> [String: [String: Any]] {
        let traces = try await console.get("/api/v1/traces")
        let trace = try #require(traces["traces"].elements.first?["traceId"].text)
        let device = try await console.get("/api/v1/devices")
        let group = try #require(try await console.get("/api/v1/health/groups")["groups"][0]["fingerprint"].text)
        let problems = try await console.get("/api/v1/health/groups/\(group)")["problems"]
        let problem = try #require(problems[0]["seq"].int)
        let session = ["session": session]
        return [
            "issue": ["group": group], "problem": ["problem": "\(problem)"], "metric": ["metric": "shop.orders"],
            "query": ["q": "count by name last 24h"], "query_records": ["q": "count last 24h", "limit": 5],
            "query_differences": ["q": "count last 24h", "selection": "status = error"],
            "describe_fields": ["q": "count by "], "services": [:], "sessions": ["errors": true], "session": session,
            "traces": ["limit": 2], "trace": ["trace": trace], "logs": ["severity": 9],
            "log_patterns": ["q": "count of events last 24h"], "issues": ["kind": "hang"], "slow_screens": [:],
            "releases": [:], "replay": session, "metrics": [:], "boards": [:], "board": ["board": "app-performance"],
            "alerts": [:], "devices": device["devices"].elements.isEmpty ? [:] : ["limit": 1],
        ]
    }

    @Test
    func `each tool returns what the API returns`() async throws {
        try await ConsoleUnderTest.run { console in
            let session = try await Self.send(to: console)
            let arguments = try await Self.arguments(console, session)
            #expect(Set(arguments.keys) == Set(MCPTool.all.map(\.name)))
            for (tool, arguments) in arguments {
                let json = String(decoding: try JSONSerialization.data(withJSONObject: arguments), as: UTF8.self)
                let response = try await Self.call(tool, json, at: console)
                #expect(response["result"]["isError"].bool == false, "\(tool) \(response)")
                #expect(response["result"]["content"].elements.first?["text"].text?.isEmpty == false)
            }
            let api = try await HTTP.request(
                "GET", console.address + "/api/v1/sessions/\(session)/timeline?limit=200&summary=true")
            let tool = try await Self.call("session", #"{"session":"\#(session)"}"#, at: console)
            #expect(tool["result"]["content"].elements.first?["text"].text == api.text)
        }
    }

    @Test
    func `issues, releases and slow screens are asked for by service`() async throws {
        try await ConsoleUnderTest.run { console in
            for body in SeveralApps.bodies { try await console.send(body, to: .logs) }
            for (tool, path) in [("issues", "groups"), ("releases", "releases"), ("slow_screens", "screens")] {
                var texts: [String] = []
                for service in ["shop", "web-shop"] {
                    let api = try await HTTP.request(
                        "GET", console.address + "/api/v1/health/\(path)?service=\(service)")
                    let answer = try await Self.call(tool, #"{"service":"\#(service)"}"#, at: console)
                    let text = try #require(answer["result"]["content"].elements.first?["text"].text)
                    #expect(text == api.text)
                    texts.append(text)
                }
                #expect(texts[0] != texts[1], "\(tool)")
            }
        }
    }

    @Test
    func `errors say what was expected, in the form that an assistant can read`() async throws {
        try await ConsoleUnderTest.run { console in
            for (tool, arguments, reason) in [
                ("query", #"{"q":"cuont"}"#, "cuont"), ("trace", #"{"trace":"x"}"#, "32 hexadecimal digits"),
                ("issue", #"{"group":"../status"}"#, "not found"), ("replay", #"{"session":"x"}"#, "not found"),
                ("metric", #"{"metric":"x"}"#, "x"), ("problem", #"{"problem":"x"}"#, "not found"),
            ] {
                let response = try await Self.call(tool, arguments, at: console)
                #expect(response["result"]["isError"].bool == true)
                #expect(
                    response["result"]["content"].elements.first?["text"].text?.contains(reason) == true, "\(tool)")
            }
            for (text, code, status) in [
                ("{", -32_700, 400), ("[]", -32_600, 400), ("7", -32_600, 400),
                (Self.message("tools/run"), -32_601, 404),
                (Self.message("tools/call", #"{"name":"drop"}"#), -32_602, 400),
                (Self.message("tools/call", #"{"name":"query"}"#), -32_602, 400),
                (Self.message("tools/call", #"{"name":"query","arguments":{"q":"count","x":1}}"#), -32_602, 400),
                (
                    Self.message("ping", #"{"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01"}}"#),
                    -32_022, 400,
                ),
                (String(repeating: "x", count: 300_000), -32_700, 400),
            ] {
                let response = try await Self.post(text, at: console)
                #expect(response.status == status)
                #expect(try JSONResponse(response.body)["error"]["code"].int == code, "\(text.prefix(80))")
            }
            #expect(try await Self.post(Self.message("ping"), at: console).text.contains(#""result":{}"#))
            let mismatch = try await Self.post(
                Self.message("ping"), at: console, ["MCP-Protocol-Version": "1999-01-01"])
            #expect(mismatch.status == 400)
            #expect(try await HTTP.request("GET", console.address + "/mcp").status == 405)
            #expect(
                try await Self.post(Self.message("ping"), at: console, ["Origin": "https://evil.example"]).status == 403
            )
            let notification = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
            let accepted = try await Self.post(notification, at: console)
            #expect(accepted.status == 202 && accepted.body.isEmpty)
        }
    }

    @Test
    func `tools need a viewer's key as pages do`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = KeyFile(path: folder.appendingPathComponent("keys.json").path, digest: .sha256)
        let viewer = try keys.create("assistant", use: .view).text
        let sender = try keys.create("app", use: .ingest).text
        try await ConsoleUnderTest.run({ $0.keysPath = keys.path }) { console in
            #expect(try await Self.post(Self.message("tools/list"), at: console).status == 401)
            for (key, status) in [(viewer, 200), (sender, 403), ("guess", 401)] {
                let response = try await Self.post(
                    Self.message("tools/list"), at: console, ["Authorization": "Bearer \(key)"])
                #expect(response.status == status)
                #expect(response.text.contains("query_differences") == (status == 200))
            }
        }
    }

    @Test(
        .enabled(
            if: client != nil,
            "ASTROLABE_OTLP_CLIENTS names no Python with Scripts/requirements-clients.txt installed"),
        arguments: OfficialClient.pairs(["legacy", "auto"], ["http", "stdio"]))
    func `the official client lists and calls every tool`(mode: String, transport: String) async throws {
        try await ConsoleUnderTest.run { console in
            let session = try await Self.send(to: console)
            let arguments = try await Self.arguments(console, session)
            let answer = try await Self.answer(to: arguments, mode, transport, at: console)
            #expect(answer["version"].text == (mode == "legacy" ? "2025-11-25" : "2026-07-28"))
            #expect(Set(answer["tools"].elements.compactMap(\.text)) == Set(MCPTool.all.map(\.name)))
            for tool in MCPTool.all {
                let result = answer["results"][tool.name]
                #expect(result["isError"].bool == false, "\(tool.name) \(result)")
            }
            for (tool, text) in [("issue", "problems"), ("problem", "threads"), ("metric", "shop.orders")] {
                #expect(answer["results"][tool]["text"].text?.contains(text) == true, "\(tool)")
            }
        }
    }

    @Test(
        .enabled(
            if: client != nil,
            "ASTROLABE_OTLP_CLIENTS names no Python with Scripts/requirements-clients.txt installed"))
    func `the official client reads every page of every tool within the limit, with a large trace`() async throws {
        try await ConsoleUnderTest.run { console in
            let session = try await Self.send(to: console)
            let count = Thoroughness.count(4_000, thorough: 20_000)
            let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
            let spans = (1...count).map { number -> OTLPBody.Span in
                // The other spans belong to the session of their trace.
                let own: [(String, JSON)] = number == 1 ? [("session.id", .string(session))] : []
                return OTLPBody.Span(
                    trace: trace, id: String(format: "%016x", number),
                    parent: number == 1 ? "" : String(format: "%016x", number / 2), name: "step",
                    start: 1_790_000_000_000_000_000 + UInt64(number), end: 1_790_000_000_000_100_000,
                    attributes: [("index", .integer(number))] + own)
            }
            for first in stride(from: 0, to: count, by: 2_000) {
                let part = Array(spans[first..<min(first + 2_000, count)])
                try await console.send(OTLPBody.traces([("service.name", "shop")], part), to: .traces)
            }
            var arguments = try await Self.arguments(console, session)
            arguments["trace"] = ["trace": trace, "limit": 1_000]
            arguments["session"] = ["session": session, "limit": 1_000]
            let results = try await Self.answer(to: arguments, "auto", "http", at: console)["results"]
            for tool in MCPTool.all {
                let result = results[tool.name]
                #expect(result["isError"].bool == false, "\(tool.name) \(result)")
                #expect(try #require(result["longest"].int) <= MCPHandler.longestResult, "\(tool.name)")
            }
            for tool in ["trace", "session"] { #expect(try #require(results[tool]["pages"].int) > 1, "\(tool)") }
            let result = results["trace"]
            let first = try JSONResponse(Array((result["text"].text ?? "").utf8))
            #expect(first["summary"]["spans"].int == count)
        }
    }

    /// Calls tools with the official client, which reads every page of their answers.
    private static func answer(
        to calls: [String: [String: Any]], _ mode: String, _ transport: String, at console: ConsoleUnderTest,
    ) async throws -> JSONResponse {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(client))
        let server =
            transport == "http"
            ? [console.address + "/mcp"]
            : [try BuiltProducts.executable(named: "astrolabe").path, console.address]
        let json = String(decoding: try JSONSerialization.data(withJSONObject: calls), as: UTF8.self)
        process.arguments =
            ["-B", Repository.file("Scripts/mcp-conformance/client.py").path, mode, transport] + server + [json]
        let output = Pipe()
        process.standardOutput = output
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { exit.yield($0.terminationStatus) }
        try process.run()
        let read = Task.detached { output.fileHandleForReading.readDataToEndOfFile() }
        #expect(await exits.first { _ in true } == 0)
        return try JSONResponse(Array(await read.value))
    }
}
