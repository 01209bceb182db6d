/// Protects the console against DNS rebinding.
///
/// If the console listens on a loopback address, requests with another host name are rejected. A browser sends them if
/// a site points its own name at this machine. If the console listens on other addresses, it accepts all host names,
/// because it cannot know its own.
struct HostValidator: Sendable {
    private let isLoopback: Bool

    init(host: String) {
        isLoopback = Self.isLoopback(host)
    }

    func admits(_ authority: String?) -> Bool {
        guard isLoopback, let authority else { return true }
        return Self.isLoopback(Self.name(in: authority))
    }

    /// Returns the host without the port, for example of `[::1]:4318`, `localhost:4318` or `127.0.0.1`.
    private static func name(in authority: String) -> String {
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        return String(authority.prefix { $0 != ":" })
    }

    private static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        return host == "localhost" || host == "::1" || host.hasSuffix(".localhost") || isLoopbackIPv4(host)
    }

    private static func isLoopbackIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
