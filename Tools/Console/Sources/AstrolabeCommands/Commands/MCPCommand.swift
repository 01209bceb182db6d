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
            """, )

    @OptionGroup var console: ConsoleAddress

    func run() async throws {
        while let line = readLine() {
            if line.isEmpty { continue }
            guard let response = await respond(to: Data(line.utf8)) else { continue }
            FileHandle.standardOutput.write(response + Data("\n".utf8))
        }
    }

    /// Returns the console's response, or an error in its place; `nil` for a notification.
    private func respond(to message: Data) async -> Data? {
        do {
            let (body, response) = try await console.post(
                message, to: "mcp", accept: "application/json, text/event-stream", )
            if body.first == UInt8(ascii: "{"), !body.contains(0x0A) {
                // A refusal is not JSON-RPC.
                let isAnswer = (try? JSONSerialization.jsonObject(with: body) as? [String: Any])?["jsonrpc"] != nil
                return isAnswer
                    ? body : try failure(ConsoleAddress.failure(at: console.console, response, body), message)
            }
            return body.isEmpty ? nil : body
        } catch {
            return try? failure(error, message)
        }
    }

    private func failure(_ error: any Error, _ message: Data) throws -> Data? {
        let request = try? JSONSerialization.jsonObject(with: message) as? [String: Any]
        guard let id = request?["id"] else { return nil }
        let response: [String: Any] = [
            "jsonrpc": "2.0", "id": id, "error": ["code": -32_603, "message": "\(error)"],
        ]
        return try JSONSerialization.data(withJSONObject: response, options: .sortedKeys)
    }
}
