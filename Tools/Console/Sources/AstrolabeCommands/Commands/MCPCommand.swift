import ArgumentParser
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The command that connects a coding assistant on standard input and output with a running console.
struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Connect a coding assistant to a running console (Model Context Protocol).",
        discussion: """
            The assistant starts this command and sends a JSON-RPC message on each line. An assistant that speaks HTTP \
            can use the console's /mcp instead. The environment variable ASTROLABE_KEY has a viewer's key if the \
            console requires one.
            """)

    @OptionGroup var console: ConsoleAddress

    func run() async throws {
        var version: String?
        while let line = readLine() {
            if line.isEmpty { continue }
            guard let response = await respond(to: Data(line.utf8), version) else { continue }
            version = Self.version(in: response) ?? version
            FileHandle.standardOutput.write(response + Data("\n".utf8))
        }
    }

    /// Returns the version that a response to `initialize` agrees on, which later requests name in a header.
    private static func version(in response: Data) -> String? {
        let message = try? JSONSerialization.jsonObject(with: response) as? [String: Any]
        return (message?["result"] as? [String: Any])?["protocolVersion"] as? String
    }

    /// Returns the console's response, or an error in its place; `nil` for a notification.
    private func respond(to message: Data, _ version: String?) async -> Data? {
        do {
            let (body, response) = try await console.post(
                message, to: "mcp", accept: "application/json, text/event-stream",
                headers: version.map { ["MCP-Protocol-Version": $0] } ?? [:])
            if body.first == UInt8(ascii: "{") || body.first == UInt8(ascii: "["), !body.contains(0x0A) {
                // A refusal is not JSON-RPC.
                let answer = try? JSONSerialization.jsonObject(with: body)
                let isAnswer = answer is [Any] || (answer as? [String: Any])?["jsonrpc"] != nil
                return isAnswer
                    ? body : try failure(ConsoleAddress.failure(at: console.console, response, body), message)
            }
            return body.isEmpty ? nil : body
        } catch {
            return try? failure(error, message)
        }
    }

    /// Returns an error for each request of a message or batch; `nil` if it has none.
    private func failure(_ error: any Error, _ message: Data) throws -> Data? {
        let given = try? JSONSerialization.jsonObject(with: message)
        let batch = given as? [Any]
        let requests = (batch ?? [given as Any]).compactMap { $0 as? [String: Any] }
        let reason: [String: Any] = ["code": -32_603, "message": "\(error)"]
        var responses: [[String: Any]] = []
        for request in requests where request["method"] != nil {
            if let id = request["id"] { responses.append(["jsonrpc": "2.0", "id": id, "error": reason]) }
        }
        guard let first = responses.first else { return nil }
        let failure: Any = if batch == nil { first } else { responses }
        return try JSONSerialization.data(withJSONObject: failure, options: .sortedKeys)
    }
}
