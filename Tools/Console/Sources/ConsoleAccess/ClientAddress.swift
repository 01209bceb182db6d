import Foundation

/// The address of a client, and the network that counts as one client when keys are tried.
package struct ClientAddress: Sendable, Hashable {
    /// For example `192.0.2.7` or `2001:db8::7`.
    package let text: String
    /// The address itself for IPv4; the first 64 bits for IPv6, because one host has as many addresses as it wants.
    let network: String

    /// - Parameter text: The address of the connection, or what a proxy says about it; any other text is a client too.
    package init(_ text: String) {
        self.text = String(text.prefix(64))
        network = Self.network(self.text)
    }

    private static func network(_ text: String) -> String {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return text }
        let bytes = withUnsafeBytes(of: address) { Array($0) }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
        let part = isMapped ? bytes.suffix(4) : bytes.prefix(8)
        return part.map { String($0) }.joined(separator: isMapped ? "." : " ")
    }
}
