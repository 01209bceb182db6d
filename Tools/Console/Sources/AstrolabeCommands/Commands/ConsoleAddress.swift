import ArgumentParser
import Foundation
import TelemetryQuery

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The option that names a running console, and the requests to it.
struct ConsoleAddress: ParsableArguments {
    /// The console does not take a query.
    struct Refusal: Error, CustomStringConvertible {
        let message: String
        /// True if the query is right, but its answer would be incomplete.
        var isIncomplete = false

        var description: String { message }
    }

    /// The server at the address is no console.
    struct Unknown: Error, CustomStringConvertible {
        let address: String

        var description: String { "the server at \(address) answers no queries; expected a console of Astrolabe" }
    }

    /// The console cannot be asked.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    @Option(help: "The address of the console.")
    var console = "http://127.0.0.1:\(ConsoleOptions.defaultPort)"

    func validate() throws {
        try Self.check(console, option: "--console", example: "http://127.0.0.1:4318")
    }

    static func check(_ address: String, option: String, example: String) throws {
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw ValidationError("\(option): expected an address such as \(example), found \(address)")
        }
    }

    /// Returns the JSON of the answer.
    ///
    /// - Throws: `Refusal`, `Unknown` or `Failure`.
    func answer(to query: Query) async throws -> Data {
        let (body, response) = try await post(try query.json(), to: "api/v1/query")
        switch (response as? HTTPURLResponse)?.statusCode {
        case 200: return body
        case 400: throw Refusal(message: Self.message(response, body))
        case 422: throw Refusal(message: Self.message(response, body), isIncomplete: true)
        case 404, 405: throw Unknown(address: console)
        default: throw Self.failure(at: console, response, body)
        }
    }

    /// Sends JSON to a path of the console.
    func post(
        _ json: Data, to path: String, accept: String = "application/json", headers: [String: String] = [:],
    ) async throws -> (Data, URLResponse) {
        let type = ["Content-Type": "application/json", "Accept": accept]
        return try await send("POST", path, json, headers: type.merging(headers) { $1 })
    }

    /// Reads the JSON of a path of the console.
    ///
    /// - Throws: `Failure`, also if the console refuses.
    func get(_ path: String) async throws -> Data {
        let (body, response) = try await send("GET", path, nil, headers: ["Accept": "application/json"])
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw Self.failure(at: console, response, body)
        }
        return body
    }

    private func send(
        _ method: String, _ path: String, _ body: Data?, headers: [String: String],
    ) async throws -> (Data, URLResponse) {
        guard let url = URL(string: (console.hasSuffix("/") ? console : console + "/") + path) else {
            throw Failure(description: "not an address: \(console)")
        }
        var request = URLRequest(url: url, timeoutInterval: 300)
        request.httpMethod = method
        let all = ConsoleKey.headers.merging(headers) { $1 }
        for (name, value) in all { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = body
        return try await Self.exchange(at: console) { [request] in try await URLSession.shared.data(for: request) }
    }

    /// Sends a request, and says which console did not answer.
    static func exchange(
        at address: String, _ send: () async throws -> (Data, URLResponse),
    ) async throws -> (Data, URLResponse) {
        do {
            return try await send()
        } catch {
            throw Failure(description: "no console answers at \(address); start one with `astrolabe console`")
        }
    }

    /// Returns the error of a response that is not a success.
    static func failure(at address: String, _ response: URLResponse, _ body: Data) -> Failure {
        let isKeyWanted = (response as? HTTPURLResponse)?.statusCode == 401
        let advice = isKeyWanted ? "; set \(ConsoleKey.variable) to a key of the console" : ""
        return Failure(description: "the console at \(address) answered: \(message(response, body))\(advice)")
    }

    private static func message(_ response: URLResponse, _ body: Data) -> String {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        return (try? JSONDecoder().decode(Message.self, from: body))?.error ?? "status \(status)"
    }

    private struct Message: Decodable {
        let error: String
    }
}
