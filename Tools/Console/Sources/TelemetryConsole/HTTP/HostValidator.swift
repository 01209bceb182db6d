/// Keeps pages of other sites from reading the console through a name that they point at this machine.
///
/// A console that listens on a loopback address has no other names than those of the loopback; a request that names
/// another host was sent by a browser that was led astray (DNS rebinding). Where the console listens on more, it
/// cannot know its names and admits every one.
struct HostValidator: Sendable {
    private let isLoopback: Bool

    init(host: String) {
        isLoopback = Self.isLoopback(host)
    }

    func admits(_ authority: String?) -> Bool {
        guard isLoopback, let authority else { return true }
        return Self.isLoopback(Self.name(in: authority))
    }

    /// The host without its port: `[::1]:4318`, `localhost:4318`, `127.0.0.1`.
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
