import ArgumentParser
import Foundation
import TelemetryQuery

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The command that asks a running console a question.
struct QueryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Ask a running console for counts, percentiles and groups.",
        discussion: """
            Example: astrolabe query 'p99(duration), count by http.route last 24h'

            Exit codes: 0 for an answer, 1 if the console cannot be asked, 2 for a query that is not valid.
            """, )

    @Argument(help: "The query, in quotes.")
    var text: String

    @Option(help: "The address of the console.")
    var console = "http://127.0.0.1:\(ConsoleOptions.defaultPort)"

    @Flag(help: "Print the console's answer as JSON, with the series.")
    var json = false

    @Flag(help: "Print comma-separated values.")
    var csv = false

    func validate() throws {
        if json, csv { throw ValidationError("Expected --json or --csv, found both.") }
        guard let url = URL(string: console), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw ValidationError("--console: expected an address such as http://127.0.0.1:4318, found \(console)")
        }
    }

    func run() async throws {
        let query: Query
        do {
            query = try Query(text: text)
        } catch {
            throw Self.refused(error.description, text: text, place: error.place)
        }
        try await UserFacingErrors.run {
            let body = try await answer(to: query)
            if json { return say(String(decoding: body, as: UTF8.self)) }
            let table = try QueryTable(json: body)
            say(csv ? table.csv : table.text)
            for warning in table.warnings { Self.warn("astrolabe: \(warning)") }
        }
    }

    private func answer(to query: Query) async throws -> Data {
        let base = console.hasSuffix("/") ? String(console.dropLast()) : console
        guard let url = URL(string: base + "/api/v1/query") else { throw QueryFailure("not an address: \(console)") }
        var request = URLRequest(url: url, timeoutInterval: 300)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try query.json()
        let body: Data
        let response: URLResponse
        do {
            (body, response) = try await URLSession.shared.data(for: request)
        } catch {
            throw QueryFailure("no console answers at \(base); start one with `astrolabe console`, or set --console")
        }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status == 200 { return body }
        let message = (try? JSONDecoder().decode(Refusal.self, from: body))?.error ?? "status \(status)"
        if status == 400 { throw Self.refused(message, text: text, place: .query) }
        throw QueryFailure("the console at \(base) answered: \(message)")
    }

    /// Prints why a query is not valid, and marks the place.
    private static func refused(_ message: String, text: String, place: QueryError.Place) -> ExitCode {
        warn("astrolabe: \(message)")
        if case .column(let column, let length) = place {
            warn("  " + QueryTable.printable(text))
            warn(
                "  " + String(repeating: " ", count: max(0, column - 1))
                    + String(repeating: "^", count: max(1, length)))
        }
        return ExitCode(2)
    }

    private static func warn(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    private struct Refusal: Decodable {
        let error: String
    }
}

private struct QueryFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
