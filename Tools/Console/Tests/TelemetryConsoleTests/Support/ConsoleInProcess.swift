import BrowserKit
import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore

@testable import TelemetryConsole

/// A console without a socket, with its own file.
struct ConsoleInProcess: Sendable {
    let client: any TestClientProtocol
    let store: any TelemetryStore

    static func run<Value: Sendable>(
        on store: TestedStore = .embedded, _ adjust: (inout ConsoleConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (ConsoleInProcess) async throws -> Value,
    ) async throws -> Value {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ConsoleUnderTest.configuration(in: folder)
        adjust(&configuration)
        return try await store.serving(configuration) { try await run($0, body) }
    }

    static func run<Value: Sendable>(
        _ configuration: ConsoleConfiguration, _ body: @escaping @Sendable (ConsoleInProcess) async throws -> Value,
    ) async throws -> Value {
        let console = try await ConsoleServer(configuration)
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await console.application().test(.router) { client in
                    try await body(ConsoleInProcess(client: client, store: console.store))
                }
            )
        } catch {
            result = .failure(error)
        }
        await console.store.close()
        return try result.get()
    }

    /// Sends a JSON body as an exporter does, and requires that it is taken.
    func send(_ body: JSON, to signal: Signal) async throws {
        let response = try await client.executeRequest(
            uri: "/v1/\(signal.rawValue)", method: .post, headers: [.contentType: "application/json"],
            body: ByteBuffer(bytes: try body.bytes),
        )
        guard response.status == .ok else { throw UnexpectedStatus(path: signal.rawValue, response: response) }
    }

    /// Reads a path of the API.
    func get(_ path: String) async throws -> JSONResponse {
        let response = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
        guard response.status == .ok else { throw UnexpectedStatus(path: path, response: response) }
        return try JSONResponse(Array(buffer: response.body))
    }
}

struct UnexpectedStatus: Error, CustomStringConvertible {
    let path: String
    let response: TestResponse

    var description: String { "\(path): \(response.status.code) \(String(buffer: response.body).prefix(500))" }
}
