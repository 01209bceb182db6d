/// The text of a key: `astrolabe_view_` and 43 characters of base64url. Its prefix tells people and secret scanners
/// what it is.
package struct KeyText: Sendable {
    package let text: String

    /// Makes a key of 256 random bits.
    package init(_ use: KeyUse) {
        text = Self.start(of: use) + Self.random()
    }

    /// Returns what all keys of a use start with, for example `astrolabe_view_`.
    static func start(of use: KeyUse) -> String { "astrolabe_\(use.rawValue)_" }

    /// - Parameter text: What a client presented, of any length.
    init(presented text: String) {
        self.text = text
    }

    /// Returns 256 random bits as 43 characters of base64url.
    package static func random() -> String {
        var random = SystemRandomNumberGenerator()
        return base64URL((0..<32).map { _ in UInt8.random(in: 0...UInt8.max, using: &random) })
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var text = ""
        var buffer = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | Int(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[buffer >> bits & 63])
            }
            buffer &= 255
        }
        if bits > 0 { text.append(alphabet[buffer << (6 - bits) & 63]) }
        return text
    }
}
