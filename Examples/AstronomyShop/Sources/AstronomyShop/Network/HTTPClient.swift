import AstrolabeHTTP
import Foundation
import ShopAPI

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The app's one way to its shop, which every service is given.
///
///     let client = HTTPClient(baseURL: base, telemetry: telemetry)
///     let products: [Product] = try await client.value(of: .products(currencyCode: "EUR"))
///     try await client.perform(.emptyCart(sessionId: id))
///
/// The SDK's client sends; this one knows the shop's routes, its JSON, and what of a request no answer may repeat.
final class HTTPClient: Sendable {
    struct Settings: Sendable {
        var limits = HTTPLimits()
        var attributeNames = HTTPAttributeNames.ofEnvironment
        /// Where context and identity may go. Default nil: to the shop's own host.
        var allowedHosts: AllowedHosts?
    }

    let baseURL: URL
    private let client: TracedHTTPClient

    /// - Parameters:
    ///   - baseURL: What the paths of the routes are appended to: "http://127.0.0.1:8080". Since they begin with
    ///     `/api`, a base that ends in it, as `API_ENDPOINT` of `honeycomb.plist` does, is taken without it.
    init(baseURL: URL, telemetry: ShopTelemetry, settings: Settings = Settings()) {
        self.baseURL = baseURL.lastPathComponent == "api" ? baseURL.deletingLastPathComponent() : baseURL
        var tracing = HTTPTracing(
            tracer: telemetry.tracer, allowedHosts: settings.allowedHosts ?? AllowedHosts(hostOf: baseURL),
            identity: HTTPIdentity(
                installationID: telemetry.installationID, appVersion: telemetry.appVersion,
                sessionID: telemetry.session.currentID,
            ),
        )
        tracing.attributeNames = settings.attributeNames
        client = TracedHTTPClient(tracing, limits: settings.limits)
    }

    /// Asks for the route and decodes its answer.
    ///
    /// - Parameter sensitive: What no error text may repeat of the answer.
    /// - Throws: ``HTTPError``, or `CancellationError`.
    func value<Value: Decodable & Sendable>(
        of route: ShopRoute, as type: Value.Type = Value.self, sensitive: SensitiveValues = .none,
    ) async throws -> Value {
        let response = try await answer(to: route, sensitive: sensitive)
        do throws(ShopRouteError) {
            return try ShopJSON.decode(type, from: response.body)
        } catch {
            let (field, problem) =
                switch error {
                case .badRequest(let field, let reason): (field, reason)
                case .notFound, .methodNotAllowed: ("body", error.description)
                }
            throw HTTPError(route: route.name, reason: .undecodable(field: field, problem: problem))
        }
    }

    /// Asks for a route whose answer says nothing but that it went well: 204, or any other success.
    ///
    /// - Throws: ``HTTPError``, or `CancellationError`.
    func perform(_ route: ShopRoute) async throws {
        _ = try await answer(to: route, sensitive: .none)
    }

    private func answer(to route: ShopRoute, sensitive: SensitiveValues) async throws -> TracedResponse {
        let printed = try route.request()
        guard let url = printed.url(relativeTo: baseURL) else {
            throw HTTPError(route: route.name, reason: .invalidURL)
        }
        var request = URLRequest(url: url)
        request.httpMethod = printed.method.rawValue
        request.httpBody = printed.body
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if printed.body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        do {
            return try await client.send(
                request, template: route.endpoint.template, redact: { sensitive.scrubbed($0) },
            )
        } catch let error as HTTPRequestError {
            throw HTTPError(route: route.name, error, sensitive: sensitive)
        }
    }
}

extension ShopRoute {
    /// Method and template, for people: "GET /api/products/{id}".
    var name: String { "\(endpoint.method.rawValue) \(endpoint.template)" }
}
