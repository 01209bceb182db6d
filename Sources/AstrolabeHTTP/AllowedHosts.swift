public import Foundation

/// The hosts to which trace context, baggage and the app's identity may go.
///
///     let hosts: AllowedHosts = ["shop.example.com", "*.internal.example.com"]
///
/// Anyone else would learn of the session from them. A pattern is a host's whole name, or `*.` and a domain for all
/// hosts below it; ports and letter case do not matter. A star alone is no pattern: no list means everybody.
public struct AllowedHosts: Hashable, Sendable {
    private let exact: Set<String>
    /// The ends of all allowed host names that are below a domain, each with its dot.
    let suffixes: [String]

    /// Creates a list of host names; `*.example.com` stands for all subdomains.
    public init(_ patterns: [String]) {
        let patterns = patterns.map { $0.lowercased() }
        exact = Set(patterns.filter { !$0.hasPrefix("*.") })
        suffixes = patterns.filter { $0.hasPrefix("*.") && $0.count > 2 }.map { String($0.dropFirst()) }
    }

    /// The host of `url` alone; nobody where it has none.
    public init(hostOf url: URL) {
        self.init(url.host.map { [$0] } ?? [])
    }

    /// The allowed host names.
    var names: [String] { exact.sorted() }

    var isEmpty: Bool { exact.isEmpty && suffixes.isEmpty }

    /// Returns whether the address has an allowed host.
    package func contains(_ url: URL) -> Bool {
        guard let host = url.host?.lowercased() else { return false }
        return exact.contains(host) || suffixes.contains { host.hasSuffix($0) }
    }
}

extension AllowedHosts: ExpressibleByArrayLiteral {
    public init(arrayLiteral patterns: String...) {
        self.init(patterns)
    }
}
