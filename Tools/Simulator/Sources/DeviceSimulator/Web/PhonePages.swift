import DeviceLink
import Foundation
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore
import ServerSupport
import ViewTree

/// The responder for the phone's page and its API: `/device` and all paths below.
package struct PhonePages: Sendable {
    /// The first component of every path.
    package static let name = "device"

    private let phone: PhoneSimulator
    private let assets: AssetLibrary
    private let live: PhoneLive

    /// Read and joined once, also for several phones in one process.
    private static let library: Result<AssetLibrary, AssetLibrary.Missing> = Result {
        () throws(AssetLibrary.Missing) in try AssetLibrary(in: .module)
    }

    /// The largest request body, in bytes. An event can hold a long text.
    private static let bodyLimit = 64 << 10

    /// - Throws: `AssetLibrary.Missing` if the program was built without its pages.
    package init(_ phone: PhoneSimulator) throws {
        self.phone = phone
        assets = try Self.library.get()
        live = PhoneLive(phone: phone)
    }

    package func respond(to request: Request) async throws -> Response {
        do {
            return try await route(request)
        } catch let error as RequestError {
            return error.response
        } catch let error as PhoneError {
            return RequestError(error).response
        }
    }

    private func route(_ request: Request) async throws -> Response {
        // The page's links are relative to a folder.
        if request.uri.path == "/\(Self.name)" {
            return Response(status: .temporaryRedirect, headers: [.location: "/\(Self.name)/"])
        }
        let parts = request.uri.path.split(separator: "/").dropFirst().map(String.init)
        let reads = request.method == .get || request.method == .head
        switch (parts.first, parts.count) {
        case (nil, _) where reads: return assets.page()
        case ("assets", 3) where reads:
            let path = parts[1...].joined(separator: "/")
            guard let asset = assets.asset(path, unless: request.headers[.ifNoneMatch]) else {
                throw RequestError(.notFound, "no asset named \(path)")
            }
            return asset
        case ("api", 3...4) where parts[1] == "v1":
            return try await routeAPI(request, resource: parts[2], name: parts.count > 3 ? parts[3] : nil)
        default: throw RequestError(.notFound, "nothing found at \(request.uri.path)")
        }
    }

    private func routeAPI(_ request: Request, resource: String, name: String?) async throws -> Response {
        switch (request.method, resource, name) {
        case (.get, "live", nil): return try live.respond()
        case (.get, "screen", nil):
            guard let screen = await phone.screen else {
                throw RequestError(.notFound, "the app has not shown a screen yet")
            }
            return try .json(screen)
        case (.get, "voiceover", nil):
            guard let screen = await phone.screen else {
                throw RequestError(.notFound, "the app has not shown a screen yet")
            }
            return try .json(SpokenScreen(screen))
        case (.get, "recording", nil):
            guard let recording = await phone.recording else {
                throw RequestError(.notFound, "nothing has been recorded")
            }
            return Response(
                status: .ok, headers: [.contentType: "application/yaml; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: recording)))
        case (.post, "recording", nil):
            switch try await body(of: request, as: RecordingCommand.self).do {
            case .start: try await phone.startRecording()
            case .stop: await phone.stopRecording()
            }
            return try .json([String: String]())
        case (.get, "resources", let name?):
            let picture = try await phone.picture(name)
            return Self.response(picture)
        case (.post, "events", nil):
            let event = try await body(of: request, as: ViewEvent.self)
            return try .json(["number": try await phone.send(event)])
        case (.post, "actions", nil):
            let command = try await body(of: request, as: PhoneCommand.self)
            if command.set == nil, command.do == nil, command.open == nil {
                throw RequestError(.badRequest, "expected an action: do:, set: or open:")
            }
            if let update = command.set { try await phone.apply(update) }
            if let action = command.do { try await phone.perform(action) }
            if let url = command.open { try await phone.open(url) }
            return try .json([String: String]())
        default: throw RequestError(.notFound, "\(request.method) \(request.uri.path) is not supported")
        }
    }

    /// The command that the page requests: an action, a change of settings, or a URL to open.
    private struct PhoneCommand: Decodable {
        var `do`: PhoneAction?
        var set: PhoneSettingsUpdate?
        var open: URL?
    }

    private struct RecordingCommand: Decodable {
        enum Action: String, Decodable { case start, stop }
        var `do`: Action
    }

    private func body<Value: Decodable>(of request: Request, as type: Value.Type) async throws -> Value {
        // For JSON, the browser sends a CORS preflight from other sites, which fails here.
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
            throw RequestError(.unsupportedMediaType, "expected Content-Type: application/json")
        }
        do {
            let buffer = try await request.body.collect(upTo: Self.bodyLimit)
            return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
        } catch let error as DecodingError {
            throw RequestError(
                .badRequest, "expected \(type == ViewEvent.self ? "an event" : "an action"): \(error.place)")
        } catch is NIOTooManyBytesError {
            throw RequestError(.contentTooLarge, "the body is larger than \(Self.bodyLimit) bytes")
        }
    }

    /// Names are hashes of the content, so an image never changes.
    private static func response(_ picture: ResourceReply) -> Response {
        var headers: HTTPFields = [
            .contentType: picture.type ?? "application/octet-stream",
            .cacheControl: "private, max-age=31536000, immutable",
        ]
        // An SVG can contain scripts. Image elements do not run them. They must not run if the SVG itself is opened.
        headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.data ?? Data())),
        )
    }
}

/// An error response: `{"error": "…"}`.
struct RequestError: Error {
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
        case .notSent: status = .serviceUnavailable
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
    /// The path in the body and what was expected there.
    fileprivate var place: String {
        let context =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: Context(codingPath: [], debugDescription: "invalid JSON")
            }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}
