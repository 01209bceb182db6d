import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import TelemetryQuery

extension APIHandler {
    /// The maximum size of a question as JSON, in bytes.
    private static let longestQuestion = 8 * QueryLimits.characters

    /// Answers a question as JSON in `?q=` or in the body. Without one, the first funnel of the boards or the flow of
    /// screens.
    func respond(to question: JourneyQuestion, request: Request) async throws -> Response {
        do {
            return try await answer(to: request) { try await answer(to: question, request: request) }
        } catch let error as QueryError {
            return Response(json: JSONText(error), status: .badRequest)
        }
    }

    private func answer(to question: JourneyQuestion, request: Request) async throws -> JSONText {
        var text = JSONText(capacity: 16_384)
        switch question {
        case .funnel:
            var asked = try await json(of: request).map { json in try FunnelQuery(json: json) }
            if asked == nil { asked = await boards.firstFunnel() }
            guard let query = asked else {
                throw QueryError("No board has a funnel. Expected one as JSON, or in a board.")
            }
            try text.append(try await queries.funnel(query))
        case .flow:
            let query = try await json(of: request).map { json in try FlowQuery(json: json) } ?? FlowQuery()
            try text.append(try await queries.flow(query))
        case .map:
            let clause = QueryReader(request.uri).text("time") ?? "last 24h"
            text.append(try await queries.serviceMap(try Query(text: "count \(clause)").time))
        }
        return text
    }

    private func json(of request: Request) async throws -> Data? {
        guard request.method == .post else {
            return QueryReader(request.uri).text("q").map { Data($0.utf8) }
        }
        var body = Data()
        for try await part in request.body {
            guard body.count + part.readableBytes <= Self.longestQuestion else {
                throw APIFailure(
                    .contentTooLarge, "expected a question as JSON of at most \(Self.longestQuestion) bytes", )
            }
            body.append(contentsOf: part.readableBytesView)
        }
        return body
    }
}
