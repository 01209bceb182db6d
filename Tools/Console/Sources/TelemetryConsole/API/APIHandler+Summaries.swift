import ConsoleModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Symbolication

extension APIHandler {
    /// The number of records from which on answers are kept.
    private static let largeStore = 1_000_000

    /// The summaries that pages ask for when they open.
    private static let usual: [(route: ConsoleRoute, target: String)] = [
        (.status, "/api/v1/status"), (.services, "/api/v1/services"), (.devices, "/api/v1/devices?limit=50"),
        (.metrics, "/api/v1/metrics"), (.health(.releases), "/api/v1/health/releases"),
        (.health(.screens), "/api/v1/health/screens"),
    ]

    /// Makes the usual summaries before anyone asks, if the store is so large that they are kept.
    func prepareSummaries() async throws {
        guard try await store.arrivals?.lastSequence() ?? 0 >= Self.largeStore else { return }
        try await health.update()
        for usual in Self.usual {
            if let make = summary(of: usual.route, QueryReader(URI(usual.target))) {
                _ = try await keptAnswer(to: usual.target, make)
            }
        }
    }

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

    /// Returns what makes an answer from all records of a kind, which takes long in a large store; `nil` for a route
    /// with another kind of answer.
    func summary(of route: ConsoleRoute, _ query: QueryReader) -> (@Sendable () async throws -> JSONText)? {
        func making(
            _ append: @escaping @Sendable (inout JSONText) async throws -> Void
        ) -> @Sendable () async throws -> JSONText {
            {
                var text = JSONText(capacity: 16_384)
                try await append(&text)
                return text
            }
        }
        return switch route {
        case .status:
            making { text in
                text.append(try await store.statistics(), retention: configuration.store.retention, sites: sites)
            }
        case .services:
            making { text in
                let services = try await store.services()
                text.object { $0.member("services") { $0.array(services) { $0.append($1) } } }
            }
        case .devices:
            making { text in
                let page = try await store.devices(try query.deviceQuery())
                text.append(page, named: "devices", found: try await elsewhere(page, query)) { $0.append($1) }
            }
        case .metrics:
            making { text in
                text.append(try await store.metrics(try query.metricQuery()), named: "metrics") { $0.append($1) }
            }
        case .health(.screens):
            making { text in
                let screens = try await store.slowScreens(service: query.text("service"))
                text.object { $0.member("screens") { $0.array(screens) { $0.append($1) } } }
            }
        case .health(.releases):
            making { text in
                try await health.update()
                let versions = try await store.releases(service: query.text("service"))
                let markers = Dictionary(grouping: (try? await releases.markers()) ?? [], by: \.version)
                text.object { text in
                    text.member("releases") { text in
                        text.array(versions) { text, release in
                            let known = markers[release.version] ?? []
                            text.append(
                                release, known.filter { $0.service.isEmpty || $0.service == release.app.service }, )
                        }
                    }
                }
            }
        default: nil
        }
    }
}
