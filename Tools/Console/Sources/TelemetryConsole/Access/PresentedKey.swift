import Foundation
import HTTPTypes

/// The key, or the session of a browser, that a request presents.
enum PresentedKey {
    /// The cookie of a signed-in browser. It has the id of a session, which scripts of the page cannot read.
    static let cookie = "astrolabe-session"

    /// Reads `Authorization: Bearer KEY`, or the header that the SDK sends for Honeycomb; `nil` if there is neither.
    static func header(_ fields: HTTPFields) -> String? {
        if let authorization = fields[.authorization] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return fields[team]
    }

    static func cookie(_ fields: HTTPFields) -> String? {
        for field in fields[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == cookie { return String(parts[1]) }
            }
        }
        return nil
    }

    private static let team = HTTPField.Name("x-honeycomb-team") ?? .authorization
}
