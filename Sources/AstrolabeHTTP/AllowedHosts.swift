public import Foundation

/// The hosts to which trace context, baggage and the app's identity may go.
///
///     let hosts: AllowedHosts = ["shop.example.com", "*.internal.example.com"]
///
/// Anyone else would learn of the session from them. A pattern is a host's whole name, or `*.` and a domain for all
/// hosts below it; letter case does not matter. All ports and schemes of the host are allowed. A pattern that can match
/// no host, such as `*`, `https://shop.example.com` or `localhost:8080`, is rejected: see ``rejectedPatterns``.
public struct AllowedHosts: Hashable, Sendable {
    private let exact: Set<String>
    /// The ends of all allowed host names that are below a domain, each with its dot.
    let suffixes: [String]
    /// The patterns that can match no host, as they were given. ``HTTPTracing`` reports them to `onDiagnostic`.
    ///
    /// They have a scheme, a port, a path, a star that is not the first label, an empty label, or a letter that is not
    /// ASCII. Of an international name, give the form with `xn--`.
    public let rejectedPatterns: [String]

    /// Creates a list of host names; `*.example.com` stands for all subdomains.
    public init(_ patterns: [String]) {
        var exact: Set<String> = []
        var suffixes: [String] = []
        var rejected: [String] = []
        for pattern in patterns {
            let host = pattern.lowercased()
            if Self.isName(host[...]) || Self.isAddress(host) {
                exact.insert(host)
            } else if host.hasPrefix("*."), Self.isName(host.dropFirst(2)) {
                suffixes.append(String(host.dropFirst()))
            } else {
                rejected.append(pattern)
            }
        }
        self.exact = exact
        self.suffixes = suffixes
        rejectedPatterns = rejected
    }

    /// The host of `url` alone; no host if it has none.
    public init(hostOf url: URL) {
        exact = Set([url.host].compactMap { $0?.lowercased() })
        suffixes = []
        rejectedPatterns = []
    }

    /// The allowed host names.
    var names: [String] { exact.sorted() }

    var isEmpty: Bool { exact.isEmpty && suffixes.isEmpty }

    /// Returns whether the address has an allowed host.
    package func contains(_ url: URL) -> Bool {
        guard let host = url.host?.lowercased() else { return false }
        return exact.contains(host) || suffixes.contains { host.hasSuffix($0) }
    }

    /// Returns true if a lower-case text is a host name: labels of letters, digits, `-` and `_`. It may end in a dot.
    private static func isName(_ host: Substring) -> Bool {
        let labels = (host.hasSuffix(".") ? host.dropLast() : host).split(
            separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            !label.isEmpty
                && label.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                    default: false
                    }
                }
        }
    }

    /// Returns true if a lower-case text is an address of IPv6, without brackets.
    private static func isAddress(_ host: String) -> Bool {
        host.utf8.filter { $0 == UInt8(ascii: ":") }.count >= 2
            && host.utf8.allSatisfy { byte in
                switch byte {
                case 0x61...0x66, 0x30...0x39, UInt8(ascii: ":"), UInt8(ascii: "."): true
                default: false
                }
            }
    }
}

extension AllowedHosts: ExpressibleByArrayLiteral {
    public init(arrayLiteral patterns: String...) {
        self.init(patterns)
    }
}
