package import HTTPTypes

/// Decides whether a request comes from this server's own pages or from a program, and not from another site.
///
/// A page of another site reaches a server on a loopback address in two ways. It points its own name at this machine
/// (DNS rebinding); then the host is not a loopback name. Or it sends a request that needs no permission; then its
/// origin is not the host it sends to.
package struct RequestOrigin: Sendable {
    private let isLoopback: Bool
    private let publicNames: Set<String>

    /// The reasons to refuse a request, with their responses.
    package enum Refusal: Error, Hashable, Sendable {
        /// RFC 9112 requires exactly one Host header.
        case noSingleHost
        case foreignHost
        case foreignOrigin

        package var status: HTTPResponse.Status {
            switch self {
            case .noSingleHost: .badRequest
            case .foreignHost: .misdirectedRequest
            case .foreignOrigin: .forbidden
            }
        }

        package var message: String {
            switch self {
            case .noSingleHost: "expected exactly one Host header"
            case .foreignHost:
                "expected the host localhost or 127.0.0.1, because the server listens on a loopback address"
            case .foreignOrigin: "expected no Origin header or the server's own origin"
            }
        }
    }

    /// - Parameters:
    ///   - host: The address that the server listens on. If it is not a loopback address, every host name is admitted,
    ///     because the server cannot know its own.
    ///   - publicNames: The names that a proxy on this machine passes on.
    package init(listeningOn host: String, publicNames: [String] = []) {
        isLoopback = Self.isLoopback(host)
        self.publicNames = Set(publicNames)
    }

    /// Checks the host of a request.
    package func check(_ head: HTTPRequest) throws(Refusal) {
        // The first Host header becomes the authority. A second one stays among the headers.
        guard let authority = head.authority, !authority.isEmpty, head.headerFields[Self.host] == nil else {
            throw .noSingleHost
        }
        guard !isLoopback || Self.name(in: authority.lowercased()).map(isOwn) == true else { throw .foreignHost }
    }

    private func isOwn(_ name: String) -> Bool { Self.isLoopback(name) || publicNames.contains(name) }

    /// Checks that a request which changes something was not sent by a page of another origin.
    package func checkChange(_ head: HTTPRequest) throws(Refusal) {
        guard let origin = head.headerFields[Self.origin] else { return }
        // The scheme does not matter: a proxy on this machine may add TLS.
        guard let host = origin.lowercased().split(separator: "/", omittingEmptySubsequences: false).last,
            let authority = head.authority, host == authority.lowercased()
        else { throw .foreignOrigin }
    }

    private static let host = HTTPField.Name("Host") ?? .contentType
    private static let origin = HTTPField.Name("Origin") ?? .contentType

    /// Returns the host without the port, for example of `[::1]:4318`, `localhost:4318` or `127.0.0.1`; `nil` if the
    /// text is anything else.
    private static func name(in authority: String) -> String? {
        let parts: (name: Substring, rest: Substring)
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            parts = (authority[..<end].dropFirst(), authority[authority.index(after: end)...])
        } else {
            let name = authority.prefix { $0 != ":" }
            parts = (name, authority[name.endIndex...])
        }
        guard parts.rest.isEmpty || (parts.rest.first == ":" && UInt16(parts.rest.dropFirst()) != nil) else {
            return nil
        }
        return String(parts.name)
    }

    /// Returns whether a host is this machine to itself: `localhost`, `127.0.0.1` or `::1`.
    package static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        return host == "localhost" || host == "::1" || host.hasSuffix(".localhost") || isLoopbackIPv4(host)
    }

    /// Returns whether the host of an authority, such as `localhost:4318`, is this machine to itself.
    package static func isLoopback(authority: String) -> Bool {
        Self.name(in: authority.lowercased()).map { Self.isLoopback($0) } ?? false
    }

    private static func isLoopbackIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
