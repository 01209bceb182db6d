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

    /// The text that stands for `bytes`, in the standard alphabet and with padding.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? digit(bits >> UInt32(18 - 6 * place) & 0x3F) : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: value)
        return switch value {
        case 0..<26: value + 65
        case 26..<52: value + 71
        case 52..<62: value - 4
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
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
