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

        var description: String { message }
    }

    /// The console cannot be asked.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    @Option(help: "The address of the console.")
    var console = "http://127.0.0.1:\(ConsoleOptions.defaultPort)"

    func validate() throws {
        guard let url = URL(string: console), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw ValidationError("--console: expected an address such as http://127.0.0.1:4318, found \(console)")
        }
    }

    /// Returns the JSON of the answer.
    ///
    /// - Throws: `Refusal` or `Failure`.
    func answer(to query: Query) async throws -> Data {
        let base = console.hasSuffix("/") ? String(console.dropLast()) : console
        guard let url = URL(string: base + "/api/v1/query") else {
            throw Failure(description: "not an address: \(console)")
        }
        var request = URLRequest(url: url, timeoutInterval: 300)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try query.json()
        let body: Data
        let response: URLResponse
        do {
            (body, response) = try await URLSession.shared.data(for: request)
        } catch {
            throw Failure(
                description: "no console answers at \(base); start one with `astrolabe console`, or set --console")
        }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status == 200 { return body }
        let message = (try? JSONDecoder().decode(Message.self, from: body))?.error ?? "status \(status)"
        if status == 400 { throw Refusal(message: message) }
        throw Failure(description: "the console at \(base) answered: \(message)")
    }

    private struct Message: Decodable {
        let error: String
    }
}
