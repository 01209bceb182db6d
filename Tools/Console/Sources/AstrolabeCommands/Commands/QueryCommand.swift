import ArgumentParser
import Foundation
import TelemetryQuery

/// The command that asks a running console a question.
struct QueryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Ask a running console for counts, percentiles and groups.",
        discussion: """
            Example: astrolabe query 'p99(duration), count by http.route last 24h'

            Exit codes: 0 for an answer, 1 if the console cannot be asked, 2 for a query that is not valid.
            """)

    @Argument(help: "The query, in quotes.")
    var text: String

    @OptionGroup var console: ConsoleAddress

    @Flag(help: "Print the console's answer as JSON, with the series.")
    var json = false

    @Flag(help: "Print comma-separated values.")
    var csv = false

    func validate() throws {
        if json, csv { throw ValidationError("Expected --json or --csv, found both.") }
    }

    func run() async throws {
        let query: Query
        do {
            query = try Query(text: text)
        } catch {
            throw Self.refused(error.description, text: text, place: error.place)
        }
        try await UserFacingErrors.run {
            let body = try await ask(query)
            if json { return say(String(decoding: body, as: UTF8.self)) }
            let table = try QueryTable(json: body)
            say(csv ? table.csv : table.text)
            if let completeness = table.completeness { sayError("astrolabe: \(QueryTable.printable(completeness))") }
            for warning in table.warnings { sayError("astrolabe: \(warning)") }
        }
    }

    private func ask(_ query: Query) async throws -> Data {
        do {
            return try await console.answer(to: query)
        } catch let refusal as ConsoleAddress.Refusal {
            throw Self.refused(refusal.message, text: text, place: .query)
        }
    }

    /// Prints why a query is not valid, and marks the place.
    private static func refused(_ message: String, text: String, place: QueryError.Place) -> ExitCode {
        sayError("astrolabe: \(message)")
        if case .column(let column, let length) = place {
            sayError("  " + QueryTable.printable(text))
            sayError(
                "  " + String(repeating: " ", count: max(0, column - 1))
                    + String(repeating: "^", count: max(1, length)))
        }
        return ExitCode(2)
    }
}
