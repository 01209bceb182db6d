import ConsoleStore
import HTTPTypes
import Hummingbird
import HummingbirdCore

extension ConsoleRoute {
    /// Whether the answer is made from all records of a kind, so that it takes long in a large store.
    var sumsUpTheStore: Bool {
        switch self {
        case .status, .services, .devices, .metrics, .health(.screens), .health(.releases): true
        default: false
        }
    }
}

extension APIHandler {
    /// The number of records from which on answers are kept.
    private static let largeStore = 1_000_000

    /// The summaries that pages ask for when they open.
    private static let usual: [(route: ConsoleRoute, target: String, limit: Substring?)] = [
        (.status, "/api/v1/status", nil), (.services, "/api/v1/services", nil),
        (.devices, "/api/v1/devices?limit=50", "50"), (.metrics, "/api/v1/metrics", nil),
        (.health(.releases), "/api/v1/health/releases", nil), (.health(.screens), "/api/v1/health/screens", nil),
    ]

    /// Makes the usual summaries before anyone asks, for a store that is large.
    func prepareSummaries() async throws {
        try await health.update()
        for summary in Self.usual {
            let query = QueryReader(summary.limit.map { ["limit": $0] } ?? [:])
            _ = try await self.summary(of: summary.route, query, as: summary.target)
        }
    }

    /// - Parameter target: Path and query of the request.
    func summary(of route: ConsoleRoute, _ query: QueryReader, as target: String) async throws -> Response {
        try await keptAnswer(to: target) { try await makeSummary(of: route, query) }
    }

    /// Returns an answer that may be kept if the store is large. It has the header `Age` in seconds if records have
    /// arrived since it was made.
    func keptAnswer(
        to target: String, _ make: @escaping @Sendable () async throws -> JSONText,
    ) async throws -> Response {
        let sequence = try await store.lastSequence()
        guard sequence >= Self.largeStore else { return Response(json: try await make()) }
        let answer = try await kept.answer(target, at: sequence, make: make)
        var response = Response(json: answer.text)
        if answer.age >= .seconds(1) { response.headers[.age] = String(answer.age.components.seconds) }
        return response
    }

    private func makeSummary(of route: ConsoleRoute, _ query: QueryReader) async throws -> JSONText {
        var text = JSONText(capacity: 16_384)
        switch route {
        case .status:
            text.append(try await store.statistics(), retention: configuration.store.retention, sites: sites)
        case .services:
            let services = try await store.services()
            text.object { $0.member("services") { $0.array(services) { $0.append($1) } } }
        case .devices:
            text.append(try await store.devices(try query.deviceQuery()), named: "devices") { $0.append($1) }
        case .metrics:
            text.append(try await store.metrics(try query.metricQuery()), named: "metrics") { $0.append($1) }
        case .health(.screens):
            let screens = try await store.slowScreens()
            text.object { $0.member("screens") { $0.array(screens) { $0.append($1) } } }
        case .health(.releases):
            try await health.update()
            let releases = try await store.releases()
            text.object { $0.member("releases") { $0.array(releases) { $0.append($1) } } }
        default: break
        }
        return text
    }
}
