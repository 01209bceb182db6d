import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import TelemetryQuery

extension APIHandler {
    /// The maximum size of a question as JSON, in bytes.
    private static let longestQuestion = 8 * QueryLimits.characters

    /// Answers a funnel as JSON in `?q=` or in the body. Without one, the first funnel of the boards.
    func funnel(_ call: RouteCall) async throws -> Response {
        try await journey(call) { text in
            var asked = try await question(of: call.request).map { json in try FunnelQuery(json: json) }
            if asked == nil { asked = await boardFiles.firstFunnel() }
            guard let query = asked else {
                throw QueryError("No board has a funnel. Expected one as JSON, or in a board.")
            }
            try text.append(try await queries.funnel(query))
        }
    }

    /// Answers a flow as JSON in `?q=` or in the body. Without one, the flow of screens.
    func flow(_ call: RouteCall) async throws -> Response {
        try await journey(call) { text in
            let query = try await question(of: call.request).map { json in try FlowQuery(json: json) } ?? FlowQuery()
            try text.append(try await queries.flow(query))
        }
    }

    func map(_ call: RouteCall) async throws -> Response {
        try await journey(call) { text in
            let clause = call.query.text("time") ?? "last 24h"
            text.append(try await queries.serviceMap(try Query(text: "count \(clause)").time))
        }
    }

    private func journey(
        _ call: RouteCall, _ append: @escaping @Sendable (inout JSONText) async throws -> Void,
    ) async throws -> Response {
        do {
            return try await answer(to: call.request) {
                var text = JSONText(capacity: 16_384)
                try await append(&text)
                return text
            }
        } catch let error as QueryError {
            return Response(json: JSONText(error), status: .badRequest)
        }
    }

    private func question(of request: Request) async throws -> Data? {
        guard request.method == .post else {
            return QueryReader(request.uri).text("q").map { Data($0.utf8) }
        }
        var body = Data()
        for try await part in request.body {
            guard body.count + part.readableBytes <= Self.longestQuestion else {
                throw APIFailure(
                    .contentTooLarge, "expected a question as JSON of at most \(Self.longestQuestion) bytes")
            }
            body.append(contentsOf: part.readableBytesView)
        }
        return body
    }
}
