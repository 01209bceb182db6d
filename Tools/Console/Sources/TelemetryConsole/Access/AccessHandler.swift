import AstrolabeSemantics
import ConsoleAccess
import ConsoleStore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// Asks for keys where the console has some, and signs browsers in and out. Tells those who have signed in from which
/// networks unknown keys are refused.
///
///     GET /api/v1/access       {"required":true,"signedIn":true,"key":{"id":"1f0c2a77","name":"Ada"},"lockOuts":[]}
///     POST /api/v1/access      {"key":"astrolabe_view_…"}      sets the cookie
///     DELETE /api/v1/access    removes it
struct AccessHandler: Sendable {
    private static let longestBody = 4_096
    /// The time for which a browser stays signed in.
    private static let signedIn: Duration = .seconds(30 * 86_400)

    private let access: AccessControl
    private let isEncrypted: Bool

    /// - Parameter isEncrypted: Whether the console itself has a certificate.
    init(_ access: AccessControl, isEncrypted: Bool) {
        self.access = access
        self.isEncrypted = isEncrypted
    }

    func client(_ headers: HTTPFields, peer: String?) -> RequestClient {
        RequestClient(headers, peer: peer, isEncrypted: isEncrypted)
    }

    /// Admits a request by its header, or a viewer by the cookie too. Returns `nil` where the console has no keys.
    func admit(
        _ request: Request, for use: KeyUse, from client: RequestClient,
    ) throws(AccessRefusal) -> AccessKey? {
        try access.admit(Self.presented(request, use), for: use, from: client.address)
    }

    /// Returns whether a viewer that was admitted still is.
    func isAdmitted(_ request: Request) -> Bool {
        access.isValid(Self.presented(request, .view), for: .view)
    }

    func record(_ event: String, by key: AccessKey?, from client: RequestClient, detail: String? = nil) {
        access.audit.write(AuditLog.Entry(event, key: key?.id, address: client.address.text, detail: detail))
    }

    private static func presented(_ request: Request, _ use: KeyUse) -> String? {
        PresentedKey.header(request.headers) ?? (use == .view ? PresentedKey.cookie(request.headers) : nil)
    }

    func respond(to request: Request, from client: RequestClient) async throws -> Response {
        switch request.method {
        case .post:
            let text = try await presentedKey(in: request)
            guard let key = try access.admit(text, for: .view, from: client.address) else { return state(nil) }
            record("sign-in", by: key, from: client)
            var response = state(key)
            response.headers[.setCookie] = cookie(text, for: Self.signedIn, client)
            return response
        case .delete:
            // Without a key there is nothing to sign out, and no line that would push older ones out of the log.
            if let key = try? admit(request, for: .view, from: client) { record("sign-out", by: key, from: client) }
            var response = state(nil)
            response.headers[.setCookie] = cookie("", for: .zero, client)
            return response
        default:
            guard PresentedKey.cookie(request.headers) != nil || PresentedKey.header(request.headers) != nil else {
                return state(nil)
            }
            return state(try? admit(request, for: .view, from: client), lockOuts: access.lockOuts())
        }
    }

    /// - Parameter lockOuts: For those with a key.
    private func state(_ key: AccessKey?, lockOuts: [LockOut] = []) -> Response {
        var text = JSONText()
        text.object { text in
            text.member("required", access.isRequired)
            text.member("signedIn", key != nil)
            guard let key else { return }
            text.member("key") { text in
                text.object { text in
                    text.member("id", key.id)
                    text.member("name", key.name)
                }
            }
            text.member("lockOuts") { $0.array(lockOuts) { $0.append($1) } }
        }
        return Response(json: text)
    }

    private func presentedKey(in request: Request) async throws -> String {
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
            throw APIFailure(.unsupportedMediaType, "expected the content type application/json")
        }
        let body = try await request.bytes(atMost: Self.longestBody, of: "a key")
        guard let text = (try? JSONDecoder().decode([String: String].self, from: body))?["key"] else {
            throw APIFailure(.badRequest, "expected {\"key\": \"…\"}")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func cookie(_ value: String, for time: Duration, _ client: RequestClient) -> String {
        let secure = client.isEncrypted ? "; Secure" : ""
        let age = time.components.seconds
        return "\(PresentedKey.cookie)=\(value); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict\(secure)"
    }

    /// Sends a browser to the page for signing in.
    static func signIn(returningTo path: String) -> Response {
        let path = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return Response(status: .seeOther, headers: [.location: "/sign-in?to=\(path)", .cacheControl: "no-store"])
    }
}

extension JSONText {
    fileprivate mutating func append(_ lockOut: LockOut) {
        object { text in
            text.member("network", lockOut.network)
            text.member(optional: "keys", lockOut.keys)
            text.member("refused", lockOut.refused)
            text.member("secondsLeft", lockOut.secondsLeft)
        }
    }
}
