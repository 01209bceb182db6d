import AstrolabeHTTP
import Foundation
import ShopAPI

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The client for the shop's API, which all services share.
///
///     let client = HTTPClient(baseURL: base, telemetry: telemetry)
///     let products: [Product] = try await client.value(of: .products(currencyCode: "EUR"))
///     try await client.perform(.emptyCart(sessionId: id))
///
/// It adds the shop's routes, JSON and the removal of sensitive values to the SDK's HTTP client.
final class HTTPClient: Sendable {
    struct Settings: Sendable {
        var limits = HTTPLimits()
        var attributeNames = HTTPAttributeNames.ofEnvironment
        /// The URLs that may receive trace context and identifiers. Default `nil`: the shop's host.
        var allowedHosts: AllowedHosts?
    }

    let baseURL: URL
    private let client: TracedHTTPClient

    /// - Parameters:
    ///   - baseURL: The shop's address, such as "http://127.0.0.1:8080". A trailing `/api`, as in `API_ENDPOINT` of
    ///     `honeycomb.plist`, is removed.
    init(baseURL: URL, telemetry: ShopTelemetry, settings: Settings = Settings()) {
        self.baseURL = baseURL.lastPathComponent == "api" ? baseURL.deletingLastPathComponent() : baseURL
        var tracing = telemetry.httpTracing(settings.allowedHosts ?? AllowedHosts(hostOf: baseURL))
        tracing.identity = HTTPIdentity(
            installationID: telemetry.installationID(), appVersion: telemetry.appVersion,
            sessionID: telemetry.session.currentID,
        )
        tracing.attributeNames = settings.attributeNames
        // A failed request of a session that is sampled out then shares its trace with the server's records.
        tracing.propagation = .always
        client = TracedHTTPClient(tracing, limits: settings.limits)
    }

    /// Sends a request and decodes its response.
    ///
    /// - Parameter sensitive: The values that no error message may repeat.
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

    /// Sends a request whose response has no content: 204, or any other 2xx status.
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
    /// Method and template: "GET /api/products/{id}".
    var name: String { "\(endpoint.method.rawValue) \(endpoint.template)" }
}
