import AstrolabeSeededRandomness
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import ShopAPI
import ShopServer
import Testing

/// The transport between a test and the shop: the same body runs in process and over a socket.
enum Transport: CaseIterable, Sendable {
    case inProcess, socket

    var setup: TestingSetup {
        switch self {
        case .inProcess: .router
        case .socket: .live
        }
    }
}

/// A shop under test, with what a test turns by hand.
struct Shop: Sendable {
    let client: any TestClientProtocol
    let backend: ShopBackend
    let clock: TestClock

    /// Sends a route as the app would.
    func send(_ route: ShopRoute, headers: [String: String] = [:]) async throws -> Answer {
        let request = try route.request()
        return try await send(
            request.method.rawValue, request.target,
            body: request.body.map { String(decoding: $0, as: UTF8.self) }, headers: headers,
        )
    }

    /// Sends anything.
    func send(
        _ method: String, _ target: String, body: String? = nil, headers: [String: String] = [:],
    ) async throws -> Answer {
        var fields = HTTPFields()
        if body != nil { fields[.contentType] = "application/json" }
        for (name, value) in headers {
            fields[try #require(HTTPField.Name(name))] = value
        }
        let response = try await client.execute(
            uri: target, method: try #require(HTTPRequest.Method(method)), headers: fields,
            body: body.map { ByteBuffer(string: $0) },
        )
        return Answer(
            status: Int(response.status.code), headers: response.headers, body: Data(response.body.readableBytesView),
        )
    }

    /// Puts a product into a cart.
    @discardableResult
    func add(_ productId: String, _ quantity: Int = 1, to userId: String = "session-1") async throws -> Answer {
        try await send(
            .addToCart(AddItemRequest(userId: userId, item: CartItem(productId: productId, quantity: quantity))))
    }

    func cart(_ userId: String = "session-1") async throws -> ServerCart {
        try await send(.cart(sessionId: userId)).decoded()
    }
}

/// An answer of the shop.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        #expect(status == 200, "\(text)")
        #expect(headers[.contentType] == "application/json; charset=utf-8")
        #expect(headers[.cacheControl] == "no-store")
        return try JSONDecoder().decode(type, from: body)
    }

    /// The text of an error answer, whose body must be `{"error": "..."}` and nothing else.
    func error() throws -> String {
        #expect(headers[.contentType] == "application/json; charset=utf-8")
        let object = try #require(try JSONSerialization.jsonObject(with: body) as? [String: String])
        #expect(object.count == 1)
        return try #require(object["error"])
    }

    /// The names within a JSON object, sorted.
    func keys(at path: String...) throws -> [String] {
        var value = try JSONSerialization.jsonObject(with: body)
        for step in path {
            if let index = Int(step) {
                value = try #require(value as? [Any])[index]
            } else {
                value = try #require((value as? [String: Any])?[step])
            }
        }
        return try #require(value as? [String: Any]).keys.sorted()
    }
}

/// Runs a test against a shop, by default with its database in memory, a clock that stands at 21 November 2026 and
/// chance that is the same on every run.
func withShop<Result: Sendable>(
    _ transport: Transport, _ configure: (inout ShopBackend.Configuration) -> Void = { _ in },
    _ test: @Sendable (Shop) async throws -> Result,
) async throws -> Result {
    try await withShop(transport.setup, configure, test)
}

func withShop<Result: Sendable>(
    _ setup: TestingSetup, _ configure: (inout ShopBackend.Configuration) -> Void = { _ in },
    _ test: @Sendable (Shop) async throws -> Result,
) async throws -> Result {
    let clock = TestClock()
    var configuration = ShopBackend.Configuration.quiet
    configuration.now = { clock.now }
    let dice = Dice()
    configuration.random = { dice.roll() }
    configure(&configuration)
    let backend = try ShopBackend(configuration: configuration)
    return try await backend.application().test(setup) { client in
        try await test(Shop(client: client, backend: backend, clock: clock))
    }
}

extension ShopBackend.Configuration {
    /// Without a line on the terminal.
    static var quiet: ShopBackend.Configuration {
        var configuration = ShopBackend.Configuration()
        configuration.logger = Logger(label: "shop") { _ in SwiftLogNoOpLogHandler() }
        return configuration
    }
}

/// A time that moves when told to.
final class TestClock: @unchecked Sendable {  // every access holds the lock
    private let lock = NSLock()
    private var time = Date(timeIntervalSince1970: 1_795_219_200)  // 2026-11-21 00:00 UTC

    var now: Date { lock.withLock { time } }

    func advance(minutes: Double) {
        lock.withLock { time += minutes * 60 }
    }

    func set(_ time: String) throws {
        let time = try Date(time, strategy: .iso8601)
        lock.withLock { self.time = time }
    }
}

/// Random numbers that are the same on every run.
final class Dice: @unchecked Sendable {  // every access holds the lock
    private let lock = NSLock()
    private var random: SeededGenerator

    init(seed: UInt64 = 2026) {
        random = SeededGenerator(seed: seed)
    }

    func roll() -> UInt64 { lock.withLock { random.next() } }
}

/// A folder that is deleted after the test.
func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
