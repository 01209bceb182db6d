import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import TelemetryQuery

extension APIHandler {
    /// The maximum size of a query as JSON, in bytes.
    private static let longestQuery = 8 * QueryLimits.characters

    func respond(to question: QueryQuestion, request: Request) async throws -> Response {
        let parameters = QueryReader(request.uri)
        var text = JSONText(capacity: 16_384)
        do {
            switch question {
            case .answer:
                let query = try await query(of: request)
                return try await answer(to: request) {
                    var text = JSONText(capacity: 16_384)
                    try text.append(try await queries.answer(query))
                    return text
                }
            case .records:
                let answer = try await queries.records(
                    of: try parameters.query(), order: try parameters.recordOrder(),
                    limit: Int(try parameters.number("limit", within: 1...500) ?? 50), )
                text.append(answer)
            case .differences:
                let query = try parameters.query()
                let selection: Condition
                do throws(QueryError) {
                    selection = try Condition(text: parameters.text("selection") ?? "")
                } catch {
                    return Response(json: JSONText(error, in: "selection"), status: .badRequest)
                }
                text.append(try await queries.differences(in: query, selection: selection))
            case .completions:
                let source = parameters.text("q") ?? ""
                let cursor = try parameters.cursor(in: source)
                text.append(try await queries.completions(at: cursor, in: source), in: source)
            case .logPatterns: text.append(try await queries.logPatterns(of: try parameters.query()))
            }
            return Response(json: text)
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
