import Foundation
import HTTPTypes

/// The key, or the cookie of a browser, that a request presents.
enum PresentedKey {
    /// Reads `Authorization: Bearer KEY`, or the header that the SDK sends for Honeycomb; `nil` if there is neither.
    static func header(_ fields: HTTPFields) -> String? {
        if let authorization = fields[.authorization] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return fields[team]
    }

    /// Returns the value of a cookie; `nil` if there is none.
    static func cookie(_ name: String, _ fields: HTTPFields) -> String? {
        for field in fields[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == name { return String(parts[1]) }
            }
        }
        return nil
    }

    private static let team = HTTPField.Name("x-honeycomb-team") ?? .authorization
}
