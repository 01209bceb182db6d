import ConsoleStore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import TelemetryQuery

extension APIHandler {
    /// The maximum size of a query as JSON, in bytes.
    private static let longestQuery = 8 * QueryLimits.characters

    /// Answers `?q=` with a query as text, or a body with a query as JSON.
    func answerQuery(_ request: Request) async throws -> Response {
        do {
            let query = try await self.query(of: request)
            let answer = try await queries.answer(query)
            var text = JSONText(capacity: 16_384)
            try text.append(answer)
            return Response(json: text)
        } catch let error as QueryError {
            return Response(json: JSONText(error), status: .badRequest)
        } catch is QuerySource.Busy {
            var failure = APIFailure(
                .serviceUnavailable, "\(QuerySource.queriesAtOnce) queries run already; ask again in a second", )
            failure.headers[.retryAfter] = "1"
            throw failure
        }
    }

    private func query(of request: Request) async throws -> Query {
        if request.method == .post {
            var body = Data()
            for try await part in request.body {
                guard body.count + part.readableBytes <= Self.longestQuery else {
                    throw APIFailure(
                        .contentTooLarge, "expected a query as JSON of at most \(Self.longestQuery) bytes", )
                }
                body.append(contentsOf: part.readableBytesView)
            }
            return try Query(json: body)
        }
        guard let text = QueryReader(request.uri.queryParameters).text("q") else {
            throw APIFailure(.badRequest, "q: expected a query, such as q=count%20by%20name%20last%2024h")
        }
        return try Query(text: text)
    }
}
