import Astrolabe
import Foundation
import ShopContract

/// The app's one way to its shop, which every service is given.
///
///     let client = HTTPClient(baseURL: base, telemetry: telemetry)
///     let products: [Product] = try await client.value(of: .products(currencyCode: "EUR"))
///     try await client.perform(.emptyCart(sessionId: id))
///
/// Each request is a client span of its own and carries the headers by which it is followed to the backend's log. A
/// `GET` whose connection was lost is sent once more, at once, since an idle connection that the server has closed
/// looks like that; everything else is the person's to try again.
final class HTTPClient: Sendable {
    struct Settings: Sendable {
        var limits = HTTPTransport.Limits()
        /// Default as the environment asks, see ``HTTPAttributeNames/init(stabilityOptIn:)``.
        var attributeNames = HTTPAttributeNames(
            stabilityOptIn: ProcessInfo.processInfo.environment["OTEL_SEMCONV_STABILITY_OPT_IN"]
        )
        /// Where context and identity may go. Default nil: to the shop's own host.
        var allowedHosts: AllowedHosts?
    }

    let baseURL: URL
    private let transport: HTTPTransport
    private let tracing: HTTPTracing

    /// - Parameters:
    ///   - baseURL: What the paths of the routes are appended to: "http://127.0.0.1:8080". Since they begin with
    ///     `/api`, a base that ends in it, as `API_ENDPOINT` of `honeycomb.plist` does, is taken without it.
    init(baseURL: URL, telemetry: ShopTelemetry, settings: Settings = Settings()) {
        self.baseURL = baseURL.lastPathComponent == "api" ? baseURL.deletingLastPathComponent() : baseURL
        transport = HTTPTransport(limits: settings.limits)
        tracing = HTTPTracing(
            tracer: telemetry.tracer, attributeNames: settings.attributeNames,
            allowedHosts: settings.allowedHosts ?? AllowedHosts(hostOf: baseURL),
            baggage: {
                var baggage = Baggage()
                baggage[ShopBaggage.sessionId] = telemetry.session.currentID()
                return baggage
            },
            headers: {
                [
                    ShopHeader.requestId: UUID().uuidString.lowercased(),
                    ShopHeader.sessionId: telemetry.session.currentID(),
                    ShopHeader.deviceId: telemetry.installationID,
                    ShopHeader.appVersion: telemetry.appVersion,
                ].filter { !$0.value.isEmpty }
            },
        )
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

    private func answer(to route: ShopRoute, sensitive: SensitiveValues) async throws -> HTTPResponse {
        let printed = try route.request()
        guard let url = printed.url(relativeTo: baseURL) else {
            throw HTTPError(route: route.name, reason: .invalidURL)
        }
        var request = HTTPRequest(method: printed.method.rawValue, url: url, body: printed.body)
        request.headers["Accept"] = "application/json"
        if printed.body != nil { request.headers["Content-Type"] = "application/json" }
        do {
            return try await attempt(request, route: route, resendCount: 0, sensitive: sensitive)
        } catch let error as HTTPError where error.reason == .transport(.connectionLost) && printed.method == .get {
            return try await attempt(request, route: route, resendCount: 1, sensitive: sensitive)
        }
    }

    private func attempt(
        _ request: HTTPRequest, route: ShopRoute, resendCount: Int, sensitive: SensitiveValues,
    ) async throws -> HTTPResponse {
        var failure: HTTPError?
        let response = try await tracing.trace(
            request, template: route.endpoint.template, resendCount: resendCount,
        ) { request, span in
            do {
                let response = try await transport.send(request)
                if !response.isSuccess {
                    let error = HTTPError(route: route.name, response: response, sensitive: sensitive)
                    span.recordException(error)
                    failure = error
                }
                return response
            } catch let error as TransportFailure {
                throw HTTPError(route: route.name, reason: .transport(error))
            }
        }
        if let failure { throw failure }
        return response
    }
}

extension ShopRoute {
    /// Method and template, for people: "GET /api/products/{id}".
    var name: String { "\(endpoint.method.rawValue) \(endpoint.template)" }
}
