import AstrolabeSemantics
import ConsoleAccess
import ConsoleModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServerSupport

/// Asks for keys where the console has some, and signs browsers in and out. Tells those who have signed in from which
/// networks unknown keys are refused.
///
/// A browser sends the cookies of a host to all of its ports, so the name of the cookie tells consoles apart. It has
/// the id of the oldest key of the file and the port, such as `astrolabe-session-1f0c2a77-4318`. The value is the id of
/// a session, which scripts of the page cannot read.
///
///     GET /api/v1/access       {"required":true,"signedIn":true,"key":{"id":"1f0c2a77","name":"Ada"},"lockOuts":[]}
///                              and `"expires":"2027-02-25T09:00:00Z"` in a key that does
///     POST /api/v1/access      {"key":"astrolabe_view_…"}      sets the cookie
///     DELETE /api/v1/access    ends the session and removes the cookie
struct AccessHandler: Sendable {
    private static let longestBody = 4_096

    private let access: AccessControl
    private let sessions = BrowserSessions()
    private let port: Int
    private let isEncrypted: Bool

    /// - Parameters:
    ///   - port: The configured port, for requests whose host name has none, as behind a proxy.
    ///   - isEncrypted: Whether the console itself has a certificate.
    init(_ access: AccessControl, port: Int, isEncrypted: Bool) {
        self.access = access
        self.port = port
        self.isEncrypted = isEncrypted
    }

    func client(_ headers: HTTPFields, peer: String?) -> RequestClient {
        RequestClient(headers, peer: peer, isEncrypted: isEncrypted)
    }

    /// Returns the value of the header that keeps a browser from plain HTTP for 180 days (RFC 6797); `nil` if the way
    /// to it is not encrypted. The header is for all ports of a name, so names of this machine never get it.
    func transportSecurity(of request: Request, peer: String?) -> String? {
        guard let authority = request.head.authority, !RequestOrigin.isLoopback(authority: authority),
            client(request.headers, peer: peer).isEncrypted
        else { return nil }
        return "max-age=15552000"
    }

    /// Admits a request by its header, or a viewer by a session too. Returns `nil` where the console has no keys.
    func admit(
        _ request: Request, for use: KeyUse, from client: RequestClient,
    ) throws(AccessRefusal) -> AccessKey? {
        try access.admit(presented(request, use), for: use, from: client.address)
    }

    /// Checks that a key is for the `service.name` of a request that was admitted by it.
    func check(_ service: String, permittedBy key: AccessKey?, from client: RequestClient) throws(AccessRefusal) {
        try access.check([service], permittedBy: key, from: client.address)
    }

    /// Returns whether a viewer that was admitted still is.
    func isAdmitted(_ request: Request) -> Bool {
        access.isValid(presented(request, .view), for: .view)
    }

    func record(_ event: String, by key: AccessKey?, from client: RequestClient, detail: String? = nil) {
        access.audit.write(AuditLog.Entry(event, key: key?.id, address: client.address.text, detail: detail))
    }

    /// Returns the key of the request's header, or else of the browser's session. A session that is over is no guess of
    /// a key.
    private func presented(_ request: Request, _ use: KeyUse) -> String? {
        if let key = PresentedKey.header(request.headers) { return key }
        guard use == .view, let id = PresentedKey.cookie(cookieName(request), request.headers) else { return nil }
        return sessions.session(id)?.presented
    }

    private func cookieName(_ request: Request) -> String {
        let part = request.head.authority?.split(separator: ":").last ?? ""
        return "astrolabe-session-\(access.oldestKey ?? "none")-\(UInt16(part).map { Int($0) } ?? port)"
    }

    /// Says who has signed in.
    func state(_ call: RouteCall) -> Response {
        guard presented(call.request, .view) != nil else { return state(of: nil) }
        return state(
            of: try? admit(call.request, for: .view, from: call.client), lockOuts: access.lockOuts())
    }

    func signIn(_ call: RouteCall) async throws -> Response {
        let text = try await presentedKey(in: call.request)
        guard let key = try access.admit(text, for: .view, from: call.client.address) else { return state(of: nil) }
        record("sign-in", by: key, from: call.client)
        var response = state(of: key)
        // A sign-in in the place of another one leaves no session behind.
        let name = cookieName(call.request)
        if let former = PresentedKey.cookie(name, call.request.headers) { sessions.end(former) }
        let id = sessions.begin(with: key, presented: text)
        let rest = key.expires.map { Duration.seconds(Int($0.timeIntervalSinceNow.rounded(.up))) }
        let lifetime = min(BrowserSessions.lifetime, rest ?? BrowserSessions.lifetime)
        response.headers[.setCookie] = cookie(name, id, for: lifetime, call.client)
        return response
    }

    func signOut(_ call: RouteCall) -> Response {
        var response = state(of: nil)
        let name = cookieName(call.request)
        // Without a session there is nothing to end, and no line that would push older ones out of the log.
        guard let id = PresentedKey.cookie(name, call.request.headers) else { return response }
        if let session = sessions.end(id) { record("sign-out", by: session.key, from: call.client) }
        response.headers[.setCookie] = cookie(name, "", for: .zero, call.client)
        return response
    }

    /// - Parameter lockOuts: For those with a key.
    private func state(of key: AccessKey?, lockOuts: [LockOut] = []) -> Response {
        var text = JSONText()
        text.object { text in
            text.member("required", access.isRequired)
            text.member("signedIn", key != nil)
            guard let key else { return }
            text.member("key") { text in
                text.object { text in
                    text.member("id", key.id)
                    text.member("name", key.name)
                    text.member(optional: "expires", key.expires?.formatted(.iso8601))
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

    private func cookie(_ name: String, _ value: String, for time: Duration, _ client: RequestClient) -> String {
        let secure = client.isEncrypted ? "; Secure" : ""
        let age = time.components.seconds
        return "\(name)=\(value); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict\(secure)"
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
