public import Astrolabe
import AstrolabeSemantics
import AstrolabeTelemetryModel
import Foundation

/// Answers a console that asks this server for its part of traces: `POST /recorder/promote`.
///
///     if let promotion = RecorderPromotion(telemetry, key: key) {
///         router.post("recorder/promote") { request, _ in
///             let body = try await request.body.collect(upTo: RecorderPromotion.maximumBodyBytes)
///             let answer = promotion.respond(
///                 authorization: request.headers[.authorization], body: Array(body.readableBytesView))
///             return Response(
///                 status: .init(code: answer.status), headers: [.contentType: "application/json"],
///                 body: .init(byteBuffer: ByteBuffer(string: answer.body)))
///         }
///     }
///
/// A request has the key as a bearer token, and at most 256 ids of traces:
/// `{"traces": ["4bf92f3577b34da6a3ce929d0e0e4736"]}`. The flight recorder then sends what it has of them, with the
/// trigger `remote`. The answer has the server's `service.name`, the number of ids that were accepted, and the number
/// of those that were asked for too often: `{"accepted": 1, "refused": 0, "service": "shop"}`. It does not say which
/// traces the server has.
public struct RecorderPromotion: Sendable {
    /// The path that the console asks.
    public static let path = "/recorder/promote"
    /// Bytes of a request's body. One that is longer need not be read to its end.
    public static let maximumBodyBytes = 65_536
    /// The ids in a request.
    static let maximumTraces = 256
    private static let minimumKeyBytes = 16

    /// A response, whose body is JSON.
    public struct Response: Hashable, Sendable {
        /// 200, 400, 401, 404 or 413.
        public let status: Int
        /// The answer, or `{"error": "…"}`.
        public let body: String
    }

    private let telemetry: Telemetry
    private let key: [UInt8]

    /// Creates the handler.
    ///
    /// - Parameter key: The key that the console presents; `nil` is returned for one of less than 16 bytes.
    public init?(_ telemetry: Telemetry, key: String) {
        guard key.utf8.count >= Self.minimumKeyBytes else { return nil }
        self.telemetry = telemetry
        self.key = Array(key.utf8)
    }

    /// Checks a request, and asks the flight recorder for its traces.
    ///
    /// - Parameters:
    ///   - authorization: The value of the `Authorization` header; `nil` if there is none.
    ///   - body: The body of the request.
    /// - Returns: 401 for another key, 413 for a body that is too long, 400 for one that is no such list, and 404 while
    ///   the flight recorder is not configured.
    public func respond(authorization: String?, body: [UInt8]) -> Response {
        guard isAuthorized(authorization) else { return Self.failure(401, "expected the key as a bearer token") }
        guard telemetry.recordsTraces else { return Self.failure(404, "the flight recorder of this server is off") }
        guard body.count <= Self.maximumBodyBytes else {
            return Self.failure(413, "expected at most \(Self.maximumBodyBytes) bytes")
        }
        let expected = #"expected {"traces": […]} with at most \#(Self.maximumTraces) ids of 32 lower-case digits"#
        guard let list = try? JSONDecoder().decode(List.self, from: Data(body)), list.traces.count <= Self.maximumTraces
        else { return Self.failure(400, expected) }
        let traces = list.traces.compactMap { TraceID(hex: $0) }
        guard traces.count == list.traces.count else { return Self.failure(400, expected) }
        let accepted = traces.count { telemetry.keepRecording(of: $0) }
        let service = telemetry.resource.attributes[AttributeKey.serviceName]?.stringValue ?? ""
        return Self.response(200, Answer(service: service, accepted: accepted, refused: traces.count - accepted))
    }

    /// Compares all bytes, so that the time says nothing about the key.
    private func isAuthorized(_ authorization: String?) -> Bool {
        guard let authorization, authorization.prefix(7).lowercased() == "bearer " else { return false }
        let presented = Array(authorization.dropFirst(7).utf8)
        guard presented.count == key.count else { return false }
        return zip(presented, key).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private struct List: Decodable {
        let traces: [String]
    }

    private struct Answer: Encodable {
        let service: String
        let accepted: Int
        let refused: Int
    }

    private struct Failure: Encodable {
        let error: String
    }

    private static func failure(_ status: Int, _ message: String) -> Response {
        response(status, Failure(error: message))
    }

    private static func response(_ status: Int, _ value: some Encodable) -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = (try? encoder.encode(value)) ?? Data()
        return Response(status: status, body: String(decoding: bytes, as: UTF8.self))
    }
}
