/// The text that a JSON string stands for.
enum JSONStringValue {
    /// Refuses a string that is not UTF-8 or has an escape that JSON does not know.
    static func check(_ raw: JSONScanner.RawString) throws(OTLPDecodingError) {
        if raw.hasEscapes {
            _ = try resolveEscapes(raw)
        } else {
            try checkUTF8(raw)
        }
    }

    /// The string's UTF-8 bytes with each escape replaced by what it stands for.
    static func resolveEscapes(_ raw: JSONScanner.RawString) throws(OTLPDecodingError) -> [UInt8] {
        try checkUTF8(raw)
        var text: [UInt8] = []
        text.reserveCapacity(raw.bytes.count)
        var position = 0
        while position < raw.bytes.count {
            let byte = raw.bytes[position]
            if byte == UInt8(ascii: "\\") {
                let scalar = try resolveEscape(raw, at: &position)
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            } else {
                text.append(byte)
                position += 1
            }
        }
        return text
    }

    private static func resolveEscape(
        _ raw: JSONScanner.RawString, at position: inout Int,
    ) throws(OTLPDecodingError) -> Unicode.Scalar {
        let start = position
        guard position + 1 < raw.bytes.count else { throw bad(raw, start, "expected a character after '\\'") }
        let letter = raw.bytes[position + 1]
        position += 2
        switch letter {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw bad(raw, start, "expected one of \" \\ / b f n r t u after '\\'")
        }
        let unit = try codeUnit(raw, at: &position)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), position + 1 < raw.bytes.count,
            raw.bytes[position] == UInt8(ascii: "\\"), raw.bytes[position + 1] == UInt8(ascii: "u")
        else { throw bad(raw, start, "expected a pair of surrogates, got one alone") }
        position += 2
        let trail = try codeUnit(raw, at: &position)
        let scalar = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(trail & 0x3FF))
        guard UTF16.isTrailSurrogate(trail), let scalar = Unicode.Scalar(scalar) else {
            throw bad(raw, start, "expected a pair of surrogates, got one alone")
        }
        return scalar
    }

    private static func codeUnit(
        _ raw: JSONScanner.RawString, at position: inout Int,
    ) throws(OTLPDecodingError) -> UInt16 {
        guard raw.bytes.count - position >= 4 else { throw bad(raw, position, "expected four hex digits") }
        var unit: UInt16 = 0
        for offset in 0..<4 {
            guard let digit = HexDigit.value(raw.bytes[position + offset]) else {
                throw bad(raw, position + offset, "expected four hex digits")
            }
            unit = unit << 4 | UInt16(digit)
        }
        position += 4
        return unit
    }

    private static func checkUTF8(_ raw: JSONScanner.RawString) throws(OTLPDecodingError) {
        if case .invalid(let position) = UTF8Scan(raw.bytes) {
            throw bad(raw, position, "expected UTF-8, got an invalid byte sequence")
        }
    }

    private static func bad(_ raw: JSONScanner.RawString, _ position: Int, _ reason: String) -> OTLPDecodingError {
        OTLPDecodingError(at: raw.offset + position, reason)
    }
}

enum HexDigit {
    /// 0 to 15 for a digit in either case.
    @inline(__always)
    static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x57
        case 0x41...0x46: byte - 0x37
        default: nil
        }
    }
}
