import ConsoleModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Symbolication

extension APIHandler {
    /// The number of records from which on answers are kept.
    private static let largeStore = 1_000_000

    /// Returns whether the store is so large that summaries are kept.
    func keepsAnswers() async throws -> Bool { try await store.arrivals?.lastSequence() ?? 0 >= Self.largeStore }

    /// Returns an answer, kept if the request asks for that by `kept=true`.
    func answer(
        to request: Request, _ make: @escaping @Sendable () async throws -> JSONText,
    ) async throws -> Response {
        guard request.method == .get, try QueryReader(request.uri).flag("kept") else {
            return Response(json: try await make())
        }
        return try await keptAnswer(to: request.uri.string, make)
    }

    /// Returns an answer that may be kept if the store is large. It has the header `Age` in seconds if records have
    /// arrived since it was made.
    ///
    /// - Parameter target: Path and query of the request.
    func keptAnswer(
        to target: String, _ make: @escaping @Sendable () async throws -> JSONText,
    ) async throws -> Response {
        guard let sequence = try await store.arrivals?.lastSequence(), sequence >= Self.largeStore else {
            return Response(json: try await make())
        }
        let answer = try await kept.answer(target, at: sequence, make: make)
        var response = Response(json: answer.text)
        if answer.age >= .seconds(1) { response.headers[.age] = String(answer.age.components.seconds) }
        return response
    }

    func status(_ call: RouteCall) async throws -> Response {
        try await summary(call) { text in
            text.append(try await store.statistics(), retention: configuration.store.retention, sites: sites)
        }
    }

    func services(_ call: RouteCall) async throws -> Response {
        try await summary(call) { text in
            let services = try await store.services()
            text.object { $0.member("services") { $0.array(services) { $0.append($1) } } }
        }
    }

    func devices(_ call: RouteCall) async throws -> Response {
        try await summary(call) { text in
            let page = try await store.devices(try call.query.deviceQuery())
            text.append(page, named: "devices", found: try await elsewhere(page, call.query)) { $0.append($1) }
        }
    }

    func metrics(_ call: RouteCall) async throws -> Response {
        try await summary(call) { text in
            let page = try await store.metrics(try call.query.metricQuery())
            text.append(page, named: "metrics") { $0.append($1) }
        }
    }

    func screens(_ call: RouteCall) async throws -> Response {
        try await summary(call) { text in
            let screens = try await store.slowScreens(service: call.query.text("service"))
            text.object { $0.member("screens") { $0.array(screens) { $0.append($1) } } }
        }
    }

    func releases(_ call: RouteCall) async throws -> Response {
        try await summary(call) { text in
            try await health.update()
            let versions = try await store.releases(service: call.query.text("service"))
            let known = Dictionary(grouping: (try? await markers.markers()) ?? [], by: \.version)
            text.object { text in
                text.member("releases") { text in
                    text.array(versions) { text, release in
                        let ofVersion = known[release.version] ?? []
                        text.append(
                            release, ofVersion.filter { $0.service.isEmpty || $0.service == release.app.service })
                    }
                }
            }
        }
    }

    /// Answers from all records of a kind, which takes long in a large store.
    private func summary(
        _ call: RouteCall, _ append: @escaping @Sendable (inout JSONText) async throws -> Void,
    ) async throws -> Response {
        try await keptAnswer(to: call.request.uri.string) {
            var text = JSONText(capacity: 16_384)
            try await append(&text)
            return text
        }
    }
}
