package import Foundation

/// The address of a ClickHouse server, and the database in it.
///
///     let address = try ClickHouseAddress("clickhouse://reader@ch.example.com:8123/otel")
///
/// The port is that of the HTTP interface, 8123 by default. `?secure=true` selects HTTPS, with 8443 by default. The
/// password is no part of the address, so that no list of processes shows it.
package struct ClickHouseAddress: Hashable, Sendable, CustomStringConvertible {
    package let base: URL
    package let user: String
    package let database: String

    /// The environment variable with the password.
    package static let passwordVariable = "CLICKHOUSE_PASSWORD"

    /// - Throws: `ClickHouseError.invalidAddress`, which says what was expected.
    package init(_ text: String) throws(ClickHouseError) {
        guard let parts = URLComponents(string: text), parts.scheme == "clickhouse", let host = parts.host,
            !host.isEmpty
        else { throw .invalidAddress("Expected clickhouse://user@host:8123/database, found \(text).") }
        guard parts.password == nil else {
            throw .invalidAddress("Pass the password in \(Self.passwordVariable), not in the address.")
        }
        let database = parts.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard database.count == 1, let name = database.first, Self.isName(name) else {
            throw .invalidAddress(
                "Expected a database of letters, digits and _ after the host, as in clickhouse://host:8123/otel.")
        }
        var isSecure = false
        for item in parts.queryItems ?? [] {
            guard item.name == "secure", let value = item.value.flatMap(Bool.init) else {
                throw .invalidAddress("Unknown option \(item.name) of the address. Expected secure=true or nothing.")
            }
            isSecure = value
        }
        var base = URLComponents()
        base.scheme = isSecure ? "https" : "http"
        base.host = host
        base.port = parts.port ?? (isSecure ? 8443 : 8123)
        base.path = "/"
        guard let url = base.url else { throw .invalidAddress("Expected a host name or address, found \(host).") }
        self.base = url
        user = parts.user ?? "default"
        self.database = String(name)
    }

    private static func isName(_ text: Substring) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
                default: false
                }
            }
    }

    /// The address without the user.
    package var description: String { "\(base.absoluteString)\(database)" }
}
