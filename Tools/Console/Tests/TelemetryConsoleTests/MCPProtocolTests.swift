import BrowserKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import TelemetryConsole

/// JSON-RPC as the Model Context Protocol has it: what is a message, and which response it has.
@Suite
struct MCPProtocolTests {
    private static func post(
        _ text: String, at console: ConsoleInProcess, version: String? = nil,
    ) async throws -> (status: Int, body: String, json: JSONResponse?) {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let name = HTTPField.Name("MCP-Protocol-Version") { headers[name] = version }
        let response = try await console.client.executeRequest(
            uri: "/mcp", method: .post, headers: headers, body: ByteBuffer(string: text))
        let bytes = Array(buffer: response.body)
        return (response.status.code, String(decoding: bytes, as: UTF8.self), try? JSONResponse(bytes))
    }

    private static func call(_ tool: String, _ arguments: String, id: Int = 7) -> String {
        let params = #"{"name":"\#(tool)","arguments":\#(arguments)}"#
        return #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":\#(params)}"#
    }

    @Test(arguments: [
        ("sessions", #"{"cursor":null,"limit":null,"service":null,"errors":null}"#, "{}"),
        ("sessions", #"{"limit":5.0}"#, #"{"limit":5}"#), ("sessions", "null", "{}"),
    ])
    func `an argument that is null is a missing one`(tool: String, arguments: String, same: String) async throws {
        try await ConsoleInProcess.run { console in
            let one = try await Self.post(Self.call(tool, arguments), at: console)
            let other = try await Self.post(Self.call(tool, same), at: console)
            #expect(one.status == 200)
            #expect(one.json?["result"]["isError"].bool == false)
            #expect(one.body == other.body)
        }
    }

    @Test(arguments: [
        ("logs", #"{"limit":1.5}"#, "limit"), ("logs", #"{"limit":[5]}"#, "limit"), ("logs", #"{"q":{"a":1}}"#, "q"),
        ("logs", #"{"limit":1e400}"#, "limit"), ("logs", "[]", "arguments"), ("logs", #""x""#, "arguments"),
        ("query", #"{"q":null}"#, "requires q"), ("query", "null", "requires q"), ("trace", "{}", "requires trace"),
        ("logs", #"{"page":2}"#, "no parameter page"),
    ])
    func `an argument of a wrong type is named in the error of its request`(
        tool: String, arguments: String, reason: String,
    ) async throws {
        try await ConsoleInProcess.run { console in
            let response = try await Self.post(Self.call(tool, arguments), at: console)
            #expect(response.status == 400)
            #expect(response.json?["id"].int == 7)
            #expect(response.json?["error"]["code"].int == -32_602)
            #expect(response.json?["error"]["message"].text?.contains(reason) == true, "\(response.body)")
        }
    }

    @Test(
        arguments: [
            (#"{"jsonrpc":"2.0","id":"a","method":"tools/list","params":[]}"#, -32_602, "a"),
            (#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":3}}"#, -32_602, "a"),
            (#"{"jsonrpc":"2.0","id":"a"}"#, -32_600, "a"), (#"{"jsonrpc":"2.0","id":"a","method":1}"#, -32_600, "a"),
            (#"{"id":"a","method":"ping"}"#, -32_600, "a"),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600, nil),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600, nil), ("null", -32_600, nil),
            ("{}", -32_600, nil),
            ("{", -32_700, nil), ("", -32_700, nil),
        ] as [(String, Int, String?)])
    func `an error has the id of its request, if it can be read`(
        message: String, code: Int, id: String?,
    ) async throws {
        try await ConsoleInProcess.run { console in
            let response = try await Self.post(message, at: console)
            #expect(response.status == 400)
            #expect(response.json?["error"]["code"].int == code, "\(response.body)")
            #expect(response.json?["id"].text == id)
        }
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[1]}}"#,
        #"{"jsonrpc":"2.0","id":4,"result":{}}"#, #"{"jsonrpc":"2.0","id":4,"error":{"code":1,"message":"no"}}"#,
    ])
    func `a notification and a response have no response`(message: String) async throws {
        try await ConsoleInProcess.run { console in
            let response = try await Self.post(message, at: console)
            #expect(response.status == 202)
            #expect(response.body.isEmpty)
        }
    }

    @Test(arguments: [nil, "2025-03-26"])
    func `a batch of the version that has them is answered`(version: String?) async throws {
        try await ConsoleInProcess.run { console in
            let batch = """
                [\(Self.call("alerts", "{}", id: 1)),{"jsonrpc":"2.0","method":"notifications/initialized"},\
                \(Self.call("logs", #"{"limit":[]}"#, id: 2)),{"jsonrpc":"2.0","id":3,"method":"initialize"},5]
                """
            let response = try await Self.post(batch, at: console, version: version)
            #expect(response.status == 200)
            let answers = try #require(response.json).elements
            #expect(answers.map { $0["id"].int } == [1, 2, 3, nil])
            #expect(answers.map { $0["error"]["code"].int } == [nil, -32_602, -32_600, -32_600])
            #expect(answers.first?["result"]["isError"].bool == false)
            let silent = try await Self.post(
                #"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#, at: console, version: version)
            #expect(silent.status == 202)
            #expect(silent.body.isEmpty)
            let endless = "[" + Array(repeating: "1", count: MCPBody.largestBatch + 1).joined(separator: ",") + "]"
            let refused = try await Self.post(endless, at: console, version: version)
            #expect(refused.json?["error"]["code"].int == -32_600)
        }
    }

    @Test(arguments: ["2024-11-05", "2025-06-18", "2025-11-25"])
    func `a batch of another version is refused`(version: String) async throws {
        try await ConsoleInProcess.run { console in
            let response = try await Self.post("[\(Self.call("alerts", "{}"))]", at: console, version: version)
            #expect(response.status == 400)
            #expect(response.json?["error"]["code"].int == -32_600)
            #expect(response.json?["error"]["message"].text?.contains(version) == true)
        }
    }
}
