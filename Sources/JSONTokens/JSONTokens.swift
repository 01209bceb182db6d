/// Reads the tokens of a JSON text, as RFC 8259 has them: words, numbers and strings.
///
/// Objects and arrays are the work of the reader that uses it, which knows their depth, their keys and its errors. The
/// bytes must be UTF-8.
package struct JSONTokens {
    /// A rule that a string breaks. For all but an escape, ``JSONTokens/offset`` is then at the place.
    package enum StringFault: Error {
        /// No escape of JSON begins at this offset.
        case escape(at: Int)
        /// A control character is not written as an escape.
        case control
        /// The closing quote is missing.
        case end
    }

    package enum Word: String, CaseIterable {
        case `true`
        case `false`
        case null
    }

    private let bytes: [UInt8]
    package private(set) var offset: Int

    package init(_ bytes: [UInt8], from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The next byte; `nil` at the end.
    package var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    package mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    /// Skips white space and the character, and returns true, if it is next.
    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    /// Reads a word; `nil` if none is next.
    package mutating func word() -> Word? {
        for word in Word.allCases where bytes[offset...].starts(with: word.rawValue.utf8) {
            offset += word.rawValue.utf8.count
            return word
        }
        return nil
    }

    /// Reads the digits of a number as they are written; `nil` if they are no number.
    package mutating func number() -> String? {
        let start = offset
        if next == UInt8(ascii: "-") { offset += 1 }
        let isZero = next == UInt8(ascii: "0")
        let whole = digits()
        var isValid = whole > 0 && (!isZero || whole == 1)
        if next == UInt8(ascii: ".") {
            offset += 1
            if digits() == 0 { isValid = false }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            if digits() == 0 { isValid = false }
        }
        return isValid ? String(decoding: bytes[start..<offset], as: UTF8.self) : nil
    }

    private mutating func digits() -> Int {
        let start = offset
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
        return offset - start
    }

    /// Reads the string whose opening quote is next.
    package mutating func string() throws(StringFault) -> String {
        offset += 1
        var units: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return String(decoding: units, as: UTF8.self)
            case UInt8(ascii: "\\"): units += try escape()
            case 0..<0x20: throw .control
            default:
                units.append(byte)
                offset += 1
            }
        }
        throw .end
    }

    /// The UTF-8 of the escape that begins here.
    private mutating func escape() throws(StringFault) -> [UInt8] {
        let simple: [UInt8: UInt8] = [
            0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
        ]
        let start = offset
        offset += 1
        if let byte = next, let result = simple[byte] {
            offset += 1
            return [result]
        }
        if let first = hexadecimal() {
            if let scalar = Unicode.Scalar(first) { return Array(String(Character(scalar)).utf8) }
            if (0xD800..<0xDC00).contains(first), next == UInt8(ascii: "\\") {
                offset += 1
                if let second = hexadecimal(), (0xDC00..<0xE000).contains(second),
                    let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
                {
                    return Array(String(Character(scalar)).utf8)
                }
            }
        }
        throw .escape(at: start)
    }

    /// The number of `u` and four hexadecimal digits.
    private mutating func hexadecimal() -> UInt32? {
        let end = offset + 5
        guard next == UInt8(ascii: "u"), end <= bytes.count else { return nil }
        var number: UInt32 = 0
        for byte in bytes[(offset + 1)..<end] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            number = number << 4 | UInt32(digit)
        }
        offset = end
        return number
    }
}
