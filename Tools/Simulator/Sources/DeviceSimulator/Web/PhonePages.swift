import DeviceLink
import Foundation
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore
import ServerSupport
import ViewTree

/// The phone's page, and what it asks: one responder for `/device` and all below.
package struct PhonePages: Sendable {
    /// The first part of every path.
    package static let name = "device"

    private let phone: PhoneSimulator
    private let assets: AssetLibrary
    private let live: PhoneLive

    /// Bytes of a body: an event with a long text.
    private static let bodyLimit = 64 << 10

    /// - Throws: `AssetLibrary.Missing` where the program was built without its pages.
    package init(_ phone: PhoneSimulator) throws {
        self.phone = phone
        assets = try AssetLibrary(in: .module)
        live = PhoneLive(phone: phone)
    }

    package func respond(to request: Request) async throws -> Response {
        do {
            return try await answer(request)
        } catch let refusal as Refusal {
            return refusal.response
        } catch let error as PhoneError {
            return Refusal(error).response
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        // The page's links are relative to a folder.
        if request.uri.path == "/\(Self.name)" {
            return Response(status: .temporaryRedirect, headers: [.location: "/\(Self.name)/"])
        }
        let parts = request.uri.path.split(separator: "/").dropFirst().map(String.init)
        let reads = request.method == .get || request.method == .head
        switch (parts.first, parts.count) {
        case (nil, _) where reads: return assets.page()
        case ("assets", 2) where reads:
            guard let asset = assets.asset(parts[1], unless: request.headers[.ifNoneMatch]) else {
                throw Refusal(.notFound, "there is no asset \(parts[1])")
            }
            return asset
        case ("api", 3...4) where parts[1] == "v1":
            return try await answer(request, what: parts[2], name: parts.count > 3 ? parts[3] : nil)
        default: throw Refusal(.notFound, "there is nothing at \(request.uri.path)")
        }
    }

    private func answer(_ request: Request, what: String, name: String?) async throws -> Response {
        switch (request.method, what, name) {
        case (.get, "live", nil): return try live.respond()
        case (.get, "screen", nil):
            guard let screen = await phone.screen else { throw Refusal(.notFound, "nothing has been shown yet") }
            return try .json(screen)
        case (.get, "resources", let name?):
            let picture = try await phone.picture(name)
            return Self.response(picture)
        case (.post, "events", nil):
            let event = try await body(of: request, as: ViewEvent.self)
            return try .json(["number": try await phone.send(event)])
        case (.post, "actions", nil):
            let order = try await body(of: request, as: PhoneOrder.self)
            if order.set == nil, order.do == nil { throw Refusal(.badRequest, "expected an action: do: or set:") }
            if let update = order.set { try await phone.apply(update) }
            if let action = order.do { try await phone.perform(action) }
            return try .json([String: String]())
        default: throw Refusal(.notFound, "there is no \(request.method) \(request.uri.path)")
        }
    }

    /// What the page asks the phone to do, or how to set it.
    private struct PhoneOrder: Decodable {
        var `do`: PhoneAction?
        var set: PhoneSettingsUpdate?
    }

    private func body<Value: Decodable>(of request: Request, as type: Value.Type) async throws -> Value {
        // A page of another site can send no JSON here without being asked first, and the answer to that is no.
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
            throw Refusal(.unsupportedMediaType, "expected Content-Type: application/json")
        }
        do {
            let buffer = try await request.body.collect(upTo: Self.bodyLimit)
            return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
        } catch let error as DecodingError {
            throw Refusal(.badRequest, "expected \(type == ViewEvent.self ? "an event" : "an action"): \(error.place)")
        } catch is NIOTooManyBytesError {
            throw Refusal(.contentTooLarge, "the body is longer than \(Self.bodyLimit) bytes")
        }
    }

    /// Names are made from the bytes, so a picture never changes.
    private static func response(_ picture: ResourceReply) -> Response {
        var headers: HTTPFields = [
            .contentType: picture.type ?? "application/octet-stream",
            .cacheControl: "private, max-age=31536000, immutable",
        ]
        // A drawing may hold scripts; as a picture it runs none, and opened by itself it must not either.
        headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.data ?? Data())),
        )
    }
}

/// An answer other than what was asked for: `{"error": "…"}`.
struct Refusal: Error {
    let status: HTTPResponse.Status
    let message: String

    init(_ status: HTTPResponse.Status, _ message: String) {
        self.status = status
        self.message = message
    }

    init(_ error: PhoneError) {
        message = "\(error)"
        switch error {
        case .badSetting: status = .badRequest
        case .wrongPhase: status = .conflict
        case .cannotLaunch: status = .internalServerError
        case .noSuchPicture: status = .notFound
        case .notTaken: status = .serviceUnavailable
        }
    }

    var response: Response {
        let response = try? Response.json(["error": message], status: status)
        return response ?? Response(status: status)
    }
}

extension Response {
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(value))),
        )
    }
}

extension DecodingError {
    /// Where in the body something else was expected, and what.
    fileprivate var place: String {
        let context =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: Context(codingPath: [], debugDescription: "it is not JSON of the right form")
            }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}
