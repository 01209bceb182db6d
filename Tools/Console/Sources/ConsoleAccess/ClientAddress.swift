import Foundation

/// The address of a client, and the network that counts as one client when requests are refused.
package struct ClientAddress: Sendable, Hashable {
    /// For example `192.0.2.7` or `2001:db8::7`.
    package let text: String
    /// The first 24 bits for IPv4, and 64 bits for IPv6, where one host has as many addresses as it wants: for example
    /// `192.0.2.0/24` or `2001:db8::/64`. The text itself if it is no address.
    package let network: String

    /// The address itself for IPv4, and the network for IPv6: what one host can send from.
    package var host: String { network.hasSuffix("/64") ? network : text }

    /// - Parameter text: The address of the connection, or what a proxy says about it; any other text is a client too.
    package init(_ text: String) {
        self.text = String(text.prefix(64))
        network = Self.network(self.text)
    }

    private static func network(_ text: String) -> String {
        var short = in_addr()
        if inet_pton(AF_INET, text, &short) == 1 { return block(ofIPv4: withUnsafeBytes(of: short) { Array($0) }) }
        var long = in6_addr()
        guard inet_pton(AF_INET6, text, &long) == 1 else { return text }
        let bytes = withUnsafeBytes(of: long) { Array($0) }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
        if isMapped { return block(ofIPv4: Array(bytes.suffix(4))) }
        withUnsafeMutableBytes(of: &long) { bytes in
            for index in 8..<16 { bytes[index] = 0 }
        }
        var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &long, &name, socklen_t(name.count)) != nil else { return text }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/64"
    }

    private static func block(ofIPv4 bytes: [UInt8]) -> String {
        bytes.prefix(3).map { "\($0)." }.joined() + "0/24"
    }
}
