import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import TelemetryQuery

extension APIHandler {
    /// The maximum size of a query as JSON, in bytes.
    private static let longestQuery = 8 * QueryLimits.characters

    func queryAnswer(_ call: RouteCall) async throws -> Response {
        try await Self.answering {
            let query = try await query(of: call.request)
            return try await answer(to: call.request) {
                var text = JSONText(capacity: 16_384)
                try text.append(try await queries.answer(query))
                return text
            }
        }
    }

    func queryRecords(_ call: RouteCall) async throws -> Response {
        try await Self.answering {
            let parameters = call.query
            let answer = try await queries.records(
                of: try parameters.query(), order: try parameters.recordOrder(),
                limit: Int(try parameters.number("limit", within: 1...500) ?? 50))
            return Self.json { $0.append(answer) }
        }
    }

    func queryDifferences(_ call: RouteCall) async throws -> Response {
        try await Self.answering {
            let query = try call.query.query()
            let selection: Condition
            do throws(QueryError) {
                selection = try Condition(text: call.query.text("selection") ?? "")
            } catch {
                return Response(json: JSONText(error, in: "selection"), status: .badRequest)
            }
            let differences = try await queries.differences(in: query, selection: selection)
            return Self.json { $0.append(differences) }
        }
    }

    func queryCompletions(_ call: RouteCall) async throws -> Response {
        try await Self.answering {
            let source = call.query.text("q") ?? ""
            let completions = try await queries.completions(at: try call.query.cursor(in: source), in: source)
            return Self.json { $0.append(completions, in: source) }
        }
    }

    func logPatterns(_ call: RouteCall) async throws -> Response {
        try await Self.answering {
            let patterns = try await queries.logPatterns(of: try call.query.query())
            return Self.json { $0.append(patterns) }
        }
    }

    /// Turns an error of a query into a response.
    private static func answering(_ make: () async throws -> Response) async throws -> Response {
        do {
            return try await make()
        } catch let error as QueryError {
            return Response(json: JSONText(error), status: error.isIncomplete ? .unprocessableContent : .badRequest)
        }
    }

    /// Reads `?q=` with a query as text, or a body with a query as JSON.
    private func query(of request: Request) async throws -> Query {
        if request.method == .post {
            let body = try await request.bytes(atMost: Self.longestQuery, of: "a query as JSON")
            return try Query(json: body)
        }
        return try QueryReader(request.uri).query()
    }
}

extension QueryReader {
    fileprivate func query() throws -> Query {
        guard let text = text("q") else {
            throw APIFailure(.badRequest, "q: expected a query, such as q=count%20by%20name%20last%2024h")
        }
        return try Query(text: text)
    }

    fileprivate func recordOrder() throws -> RecordOrder {
        guard let text = text("order") else { return .newest }
        guard let order = RecordOrder(rawValue: text) else {
            throw APIFailure(.badRequest, "order: expected newest or slowest, found \(text.prefix(40))")
        }
        return order
    }

    /// Returns the number of characters of `text` before the cursor. The parameter counts in UTF-16, as the text fields
    /// of browsers do. Without it, the cursor is at the end.
    fileprivate func cursor(in text: String) throws -> Int {
        guard let units = try number("cursor", within: 0...Int64(text.utf16.count)) else { return text.count }
        return text[..<text.utf16.index(text.startIndex, offsetBy: Int(units))].count
    }
}
