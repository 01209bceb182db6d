import Astrolabe
import AstrolabeHTTP
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import ShopAPI
import Testing

@testable import AstronomyShop

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The HTTP client` {
    private func client(
        _ server: RawServer, _ phone: Phone, names: HTTPAttributeNames = .stable, hosts: AllowedHosts? = nil,
    ) throws -> HTTPClient {
        var settings = HTTPClient.Settings()
        settings.attributeNames = names
        settings.allowedHosts = hosts
        return HTTPClient(baseURL: try server.baseURL, telemetry: phone.telemetry, settings: settings)
    }

    private func server(_ status: Int = 200, _ body: String = #"["EUR"]"#) throws -> RawServer {
        try RawServer { _, connection in connection.answer(status, body) }
    }

    @Test func `records one client span with what the conventions ask for`() async throws {
        let server = try server()
        let phone = Phone(try server.baseURL)
        let codes: [String] = try await client(server, phone).value(of: .currencies)
        #expect(codes == ["EUR"])
        let span = try phone.spans.one("GET /api/currency")
        let groups = try phone.sink.spanGroups.filter { group in group.records.contains { $0.name == span.name } }
        #expect(groups.map(\.scope.name) == ["astrolabe.http"])
        #expect(span.kind == .client)
        #expect(span.status == .unset)
        #expect(span.text("http.request.method") == "GET")
        #expect(span.text("url.full") == "http://127.0.0.1:\(server.port)/api/currency")
        #expect(span.text("url.template") == "/api/currency")
        #expect(span.text("server.address") == "127.0.0.1")
        #expect(span.int("server.port") == Int64(server.port))
        #expect(span.int("http.response.status_code") == 200)
        #expect(span.int("http.response.body.size") == 7)
        #expect(span.attributes["error.type"] == nil)
        #expect(span.attributes["http.request.resend_count"] == nil)
        #expect(span.attributes["http.method"] == nil)
    }

    @Test func `sends the context of its own span, the session, the installation and the version`() async throws {
        let server = try server()
        let phone = Phone(try server.baseURL)
        let _: [String] = try await client(server, phone).value(of: .currencies)
        let request = try #require(server.requests.first)
        let span = try phone.spans.one("GET /api/currency")
        let session = try #require(phone.sdk.session.current?.id)
        #expect(request.header("traceparent") == "00-\(span.context.traceID)-\(span.context.spanID)-03")
        #expect(request.header("baggage") == "session.id=\(session)")
        #expect(request.header("X-Session-Id") == session)
        #expect(request.header("X-Device-Id") == phone.sdk.installationID)
        #expect(request.header("X-App-Version") == "1.2.3")
        #expect(UUID(uuidString: request.header("X-Request-Id") ?? "") != nil)
        #expect(request.header("Accept") == "application/json")
    }

    @Test func `gives each request an id of its own`() async throws {
        let server = try server()
        let phone = Phone(try server.baseURL)
        let client = try client(server, phone)
        for _ in 1...2 { let _: [String] = try await client.value(of: .currencies) }
        #expect(Set(server.requests.map { $0.header("X-Request-Id") }).count == 2)
    }

    @Test func `merges the session into baggage that is there, and says the truth of its session`() async throws {
        let server = try server()
        let phone = Phone(try server.baseURL)
        var baggage = Baggage()
        baggage["synthetic_request"] = "true"
        baggage["session.id"] = "somebody-else"
        try await TelemetryContext.withBaggage(baggage) {
            let _: [String] = try await client(server, phone).value(of: .currencies)
        }
        let sent = Baggage(header: try #require(server.requests.first?.header("baggage")))
        #expect(sent["synthetic_request"] == "true")
        #expect(sent["session.id"] == phone.sdk.session.current?.id)
    }

    @Test func `tells hosts that are not allowed nothing`() async throws {
        let server = try server()
        let phone = Phone(try server.baseURL)
        let _: [String] = try await client(server, phone, hosts: AllowedHosts(["elsewhere.example"])).value(
            of: .currencies)
        let request = try #require(server.requests.first)
        for name in [
            "traceparent", "tracestate", "baggage", "X-Request-Id", "X-Session-Id", "X-Device-Id", "X-App-Version",
        ] {
            #expect(request.header(name) == nil, "\(name)")
        }
        #expect(try phone.spans.one("GET /api/currency").int("http.response.status_code") == 200)
    }

    @Test func `says in traceparent that a trace which is not recorded is not, and still names the session`()
        async throws
    {
        let server = try server()
        let phone = Phone(try server.baseURL) { $0.sampler = AlwaysOffSampler() }
        let _: [String] = try await client(server, phone).value(of: .currencies)
        let request = try #require(server.requests.first)
        #expect(request.header("traceparent")?.hasSuffix("-02") == true)
        #expect(request.header("X-Session-Id") == phone.sdk.session.current?.id)
        #expect(try phone.spans.isEmpty)
    }

    @Test func `works with telemetry disabled, on a session of its own`() async throws {
        let server = try server()
        let phone = Phone(try server.baseURL) { $0.isEnabled = false }
        let _: [String] = try await client(server, phone).value(of: .currencies)
        let request = try #require(server.requests.first)
        #expect(request.header("traceparent") == nil)
        #expect(request.header("X-Session-Id") == phone.shop.session.sessionID)
        #expect(UUID(uuidString: phone.shop.session.sessionID) != nil)
        #expect(request.header("X-Device-Id") == nil)
        let first = phone.shop.session.sessionID
        #expect(phone.shop.session.startNewSession() != first)
    }

    @Test func `records a failing answer in full and marks the span`() async throws {
        let server = try server(504, #"{"error": "upstream timeout"}"#)
        let phone = Phone(try server.baseURL)
        let error = await #expect(throws: HTTPError.self) {
            let _: [String] = try await client(server, phone).value(of: .currencies)
        }
        #expect(error?.description == #"HTTP 504 Gateway Timeout - Response: {"error": "upstream timeout"}"#)
        let span = try phone.spans.one("GET /api/currency")
        #expect(span.status == .error(""))
        #expect(span.text("error.type") == "504")
        #expect(span.int("http.response.status_code") == 504)
        #expect(span.exceptionMessage == error?.description)
    }

    @Test func `takes 204 as an answer without content`() async throws {
        let server = try RawServer { _, connection in connection.write("HTTP/1.1 204 No Content\r\n\r\n") }
        let phone = Phone(try server.baseURL)
        try await client(server, phone).perform(.emptyCart(sessionId: "a"))
        let span = try phone.spans.one("DELETE /api/cart")
        #expect(span.status == .unset)
        #expect(span.int("http.response.status_code") == 204)
        #expect(span.int("http.response.body.size") == 0)
    }

    @Test func `names route and place of what it cannot decode, and none of its values`() async throws {
        let server = try server(200, #"[{"id": "A", "name": "secret-4432801561520454", "description": 3}]"#)
        let phone = Phone(try server.baseURL)
        let error = await #expect(throws: HTTPError.self) {
            let _: [Product] = try await client(server, phone).value(of: .products())
        }
        #expect(
            error?.description.contains("unexpected response to GET /api/products: [0].description")
                == true)
        #expect(error?.description.contains("secret") == false)
        #expect(error?.errorType == "undecodable_answer")
        #expect(try phone.spans.one("GET /api/products").status == .unset)
    }

    @Test func `marks what fails before an answer, without a status code`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(try refusedPort())"))
        let phone = Phone(url)
        let client = HTTPClient(baseURL: url, telemetry: phone.telemetry)
        await #expect(throws: HTTPError(route: "GET /api/currency", reason: .transport(.connectionRefused))) {
            let _: [String] = try await client.value(of: .currencies)
        }
        let span = try phone.spans.one("GET /api/currency")
        #expect(span.text("error.type") == "connection_refused")
        #expect(span.status == .error("GET /api/currency failed: the connection was refused"))
        #expect(span.attributes["http.response.status_code"] == nil)
    }

    @Test func `does not call cancellation an error`() async throws {
        let (started, begin) = AsyncStream<Void>.makeStream()
        let server = try RawServer { _, connection in
            begin.yield()
            connection.waitUntilClosed()
        }
        let phone = Phone(try server.baseURL)
        let client = try client(server, phone)
        let task = Task { let _: [String] = try await client.value(of: .currencies) }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let span = try phone.spans.one("GET /api/currency")
        #expect(span.status == .unset)
        #expect(span.attributes["error.type"] == nil)
        #expect(span.events.map(\.name) == ["cancelled"])
    }

    @Test func `sends a GET whose connection was lost once more, and counts it`() async throws {
        let count = Counting()
        let server = try RawServer { _, connection in
            if count.next() > 1 { connection.answer(200, #"["EUR"]"#) }
        }
        let phone = Phone(try server.baseURL)
        let codes: [String] = try await client(server, phone).value(of: .currencies)
        #expect(codes == ["EUR"])
        let spans = try phone.spans.filter { $0.name == "GET /api/currency" }
        #expect(spans.map { $0.text("error.type") } == ["connection_lost", nil])
        #expect(spans.map { $0.int("http.request.resend_count") } == [nil, 1])
        #expect(Set(server.requests.map { $0.header("X-Request-Id") }).count == 2)
    }

    @Test func `sends nothing else twice`() async throws {
        let server = try RawServer { _, _ in }
        let phone = Phone(try server.baseURL)
        let client = try client(server, phone)
        let item = AddItemRequest(userId: "a", item: CartItem(productId: "b", quantity: 1))
        await #expect(throws: HTTPError.self) { try await client.perform(.addToCart(item)) }
        #expect(server.requests.count == 1)
        await #expect(throws: HTTPError.self) { let _: [String] = try await client.value(of: .currencies) }
        #expect(server.requests.count == 3)
    }

    @Test func `keeps query values out of the recorded URL`() async throws {
        let server = try server(200, #"{"currencyCode":"EUR","units":1,"nanos":0}"#)
        let phone = Phone(try server.baseURL)
        let address = Address(
            streetAddress: "2800 East Observatory Road", city: "Los Angeles", state: "CA", country: "US",
            zipCode: "90027",
        )
        let _: Money = try await client(server, phone, names: .both)
            .value(
                of: .shipping(items: [CartItem(productId: "A", quantity: 1)], address: address, currencyCode: "EUR"))
        #expect(server.requests.first?.target.contains("Observatory") == true)
        let expected =
            "http://127.0.0.1:\(server.port)/api/shipping?itemList=REDACTED&address=REDACTED&currencyCode=REDACTED"
        let span = try phone.spans.one("GET /api/shipping")
        #expect(span.text("url.full") == expected)
        #expect(span.text("http.url") == expected)
    }

    @Test(arguments: ["", "/", "/api", "/api/"]) func `finds the shop under a base with or without api`(path: String)
        async throws
    {
        let server = try server()
        let phone = Phone(try server.baseURL)
        let base = try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
        let _: [String] = try await HTTPClient(baseURL: base, telemetry: phone.telemetry).value(of: .currencies)
        #expect(server.requests.first?.target == "/api/currency")
    }
}

/// Counts calls from any thread.
final class Counting: @unchecked Sendable {  // the lock orders every access to the count
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }

    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}
