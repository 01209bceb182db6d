import ConsoleAccess
import ConsoleStore
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import TelemetryQuery

/// An error response of the API: `{"error": "…"}`.
struct APIFailure: Error {
    let status: HTTPResponse.Status
    let message: String
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ message: String) {
        self.status = status
        self.message = message
    }

    init(_ refusal: AccessRefusal) {
        self.init(HTTPResponse.Status(code: refusal.status), refusal.message)
        if refusal.status == 401 { headers[.wwwAuthenticate] = "Bearer" }
        if let seconds = refusal.retryAfter { headers[.retryAfter] = String(seconds) }
    }

    init(_ error: QuerySource.Busy) {
        self.init(.serviceUnavailable, "too many queries run and wait already; ask again in a second")
        headers[.retryAfter] = "1"
    }

    init(_ error: QuerySource.Preparing) {
        self.init(
            .serviceUnavailable,
            "the columns of \(error.dataset.rawValue) are being made from the stored records; "
                + "\(Int(error.share * 100)) % are done, ask again in a few seconds", )
        headers[.retryAfter] = "5"
    }

    var response: Response {
        var text = JSONText()
        text.object { $0.member("error", message) }
        var response = Response(json: text, status: status)
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}

extension Response {
    init(json: JSONText, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)),
        )
    }
}
