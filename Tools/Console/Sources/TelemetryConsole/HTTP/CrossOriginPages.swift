import HTTPTypes
import Hummingbird
import HummingbirdCore

/// The web pages of other sites that may send OTLP, by CORS.
///
/// Only the paths of OTLP have it. They take no cookie, so such a page can send what any program can, and read nothing.
package struct CrossOriginPages: Sendable {
    private let origins: Set<String>

    init(_ origins: [String]) {
        self.origins = Set(origins)
    }

    /// Returns whether a text is an origin as browsers send it.
    ///
    /// That is a scheme, a host, and a port that is not the scheme's own. For pages without a host, browsers send
    /// `null` or `file://`, which are origins too.
    package static func isOrigin(_ text: String) -> Bool {
        let form = #/null|file://|[a-z][a-z0-9+.\-]*://(?:[a-z0-9._\-]+|\[[0-9a-f:]+\])(?::[0-9]+)?/#
        guard text.wholeMatch(of: form) != nil else { return false }
        return !(text.hasPrefix("https:") && text.hasSuffix(":443"))
            && !(text.hasPrefix("http:") && text.hasSuffix(":80"))
    }

    /// Returns the origin of the page that sends OTLP; `nil` if the request has none, or one that is not permitted.
    func origin(of request: Request) -> String? {
        guard let origin = request.headers[.origin], origins.contains(origin),
            let match = ConsoleRoute.match(request.uri.path), match.isIngest
        else { return nil }
        return origin
    }

    /// Answers the question of a browser that precedes a request; `nil` for any other request.
    static func preflight(_ request: Request) -> Response? {
        guard request.method == .options, request.headers[.accessControlRequestMethod] != nil else { return nil }
        var headers: HTTPFields = [.accessControlAllowMethods: "POST", .accessControlMaxAge: longestMemory]
        headers[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
        return Response(status: .noContent, headers: headers)
    }

    /// Lets a page of this origin read a response.
    static func permit(_ origin: String, to response: inout Response) {
        response.headers[.accessControlAllowOrigin] = origin
        // navigator.sendBeacon, with which exporters send when a page closes, always asks for credentials.
        response.headers[.accessControlAllowCredentials] = "true"
        response.headers[.accessControlExposeHeaders] = "Retry-After"
        response.headers[.vary] = "Origin"
    }

    /// The seconds for which a browser does not ask again. Chromium takes no more than two hours.
    private static let longestMemory = "7200"
}
