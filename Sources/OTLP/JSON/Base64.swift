/// Base64 (RFC 4648), in the standard or the URL-safe alphabet, with or without padding.
enum Base64 {
    /// The bytes that `text` stands for, or `nil` where it is not base64.
    static func decode(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
        var digits = text[...]
        var padding = 0
        while padding < 2, digits.last == UInt8(ascii: "=") {
            digits = digits.dropLast()
            padding += 1
        }
        let remainder = digits.count % 4
        guard remainder != 1, padding == 0 || padding == (4 - remainder) % 4 else { return nil }

        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in digits {
            guard let digit = value(of: byte) else { return nil }
            bits = bits << 6 | digit
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        return bytes
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
