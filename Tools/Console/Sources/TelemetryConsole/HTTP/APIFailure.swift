import ConsoleAccess
import ConsoleModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

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

    init(_ refusal: QueryRefusal) {
        self.init(HTTPResponse.Status(code: refusal.status), refusal.message)
        headers[.retryAfter] = String(refusal.retryAfter)
    }

    /// Describes an error of a page, the API or an assistant; `nil` for an error that none of them expects.
    init?(of error: any Error) {
        switch error {
        case let failure as APIFailure: self = failure
        case let refusal as AccessRefusal: self.init(refusal)
        case let refusal as QueryRefusal: self.init(refusal)
        case let error as StoreError: self.init(.internalServerError, "\(error)")
        case is CancellationError:
            self.init(.init(code: 499, reasonPhrase: "Client Closed Request"), "the request was cancelled")
        default: return nil
        }
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
