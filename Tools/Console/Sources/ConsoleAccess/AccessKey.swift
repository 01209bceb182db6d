package import Foundation

/// The use that a key permits. A key has exactly one use, because the key of an app is in every copy of the app.
package enum KeyUse: String, Codable, Sendable, CaseIterable {
    /// Sending telemetry over OTLP.
    case ingest
    /// Asking for the remote policy of an app, and reporting which one a device has.
    case policy
    /// Reading the pages and the API, and changing boards and the roll-out of policies.
    case view
    /// Uploading debug symbols.
    case symbols
}

/// A key as the console stores it: everything except its text, of which there is only the SHA-256.
///
/// The text has 256 random bits, so a fast hash is enough: they cannot all be tried.
package struct AccessKey: Codable, Sendable, Hashable {
    /// The name by which commands and the audit log refer to the key: 8 characters, the first of the SHA-256.
    package let id: String
    /// The purpose of the key, in the words of the person who made it.
    package let name: String
    package let use: KeyUse
    /// The values of `service.name` that a key of an app may name; `nil` if any.
    package let services: Set<String>?
    /// The mean number of requests in a second.
    package let requestsPerSecond: Double
    /// The SHA-256 of the key's text, in hexadecimal digits.
    package let sha256: String
    package let created: Date
    /// When the key stops being valid, by the console's clock; `nil` if it stays valid until it is revoked.
    package internal(set) var expires: Date?
    /// When the key was revoked; `nil` if it was not. A revoked key stays in the file.
    package internal(set) var revoked: Date?

    /// Returns whether the key was neither revoked nor has expired.
    package func isValid(at moment: Date) -> Bool { revoked == nil && !isExpired(at: moment) }

    package func isExpired(at moment: Date) -> Bool { expires.map { $0 <= moment } ?? false }

    /// Returns whether a key of an app is for a service.
    package func permits(service: String?) -> Bool {
        guard let services else { return true }
        return service.map(services.contains) ?? false
    }

    /// The default limit of requests in a second: 500 for apps, of which one key has many copies, 50 for viewers, and 5
    /// for uploads of symbols.
    package static func defaultRate(_ use: KeyUse) -> Double {
        switch use {
        case .ingest, .policy: 500
        case .view: 50
        case .symbols: 5
        }
    }
}
