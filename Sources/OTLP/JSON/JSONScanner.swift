/// A position in a JSON text (RFC 8259): moves over one token at a time and never leaves the bounds of the text.
///
///     var object = try scanner.openObject()
///     while let key = try scanner.nextKey(&object) {
///         switch key { case "name": ...; default: try scanner.skipValue() }
///     }
///
/// Strict: no comments, no trailing commas, no leading zeros, no control characters within strings, nothing after
/// the value.
struct JSONScanner {
    /// The state of an object or array that is open: whether a member or an element has been read.
    struct Container {
        fileprivate var isFirst = true
    }

    /// A string without its quotes, as it stands in the text.
    struct RawString {
        let bytes: UnsafeRawBufferPointer
        let offset: Int
        /// True where escapes must be resolved first.
        let hasEscapes: Bool
    }

    private let base: UnsafeRawPointer
    private let end: Int
    /// The position of the next byte in the text.
    private(set) var position: Int

    init(_ base: UnsafeRawPointer, _ range: Range<Int>) {
        self.base = base
        position = range.lowerBound
        end = range.upperBound
    }

    /// A scanner for the content of a string, such as a number in quotes.
    func scanner(within string: RawString) -> JSONScanner {
        JSONScanner(base, string.offset..<string.offset + string.bytes.count)
    }

    /// The next byte that is not white space, without moving past it; `nil` at the end.
    @inline(__always)
    mutating func peek() -> UInt8? {
        while position < end {
            let byte = base.load(fromByteOffset: position, as: UInt8.self)
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    /// Passes over `byte`, where it comes next.
    @inline(__always)
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    mutating func openObject() throws(OTLPDecodingError) -> Container {
        guard take("{") else { throw unexpected("an object") }
        return Container()
    }

    mutating func openArray() throws(OTLPDecodingError) -> Container {
        guard take("[") else { throw unexpected("an array") }
        return Container()
    }

    /// The next member's key, with its colon passed over; `nil` where the object ends, which is then passed over.
    mutating func nextKey(_ object: inout Container) throws(OTLPDecodingError) -> RawString? {
        if take("}") { return nil }
        if !object.isFirst {
            guard take(",") else { throw unexpected("',' or '}'") }
        }
        object.isFirst = false
        guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
        let key = try string()
        guard take(":") else { throw unexpected("':'") }
        return key
    }

    /// Moves to the next element; `false` where the array ends, which is then passed over.
    mutating func nextElement(_ array: inout Container) throws(OTLPDecodingError) -> Bool {
        if take("]") { return false }
        if !array.isFirst {
            guard take(",") else { throw unexpected("',' or ']'") }
            guard peek() != UInt8(ascii: "]") else { throw unexpected("an element") }
        }
        array.isFirst = false
        return true
    }

    /// Passes over a string.
    mutating func string() throws(OTLPDecodingError) -> RawString {
        guard take("\"") else { throw unexpected("a string") }
        let start = position
        var hasEscapes = false
        while position < end {
            let byte = base.load(fromByteOffset: position, as: UInt8.self)
            switch byte {
            case UInt8(ascii: "\""):
                let bytes = UnsafeRawBufferPointer(start: base + start, count: position - start)
                position += 1
                return RawString(bytes: bytes, offset: start, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                // The escaped character may be a quote; what it is, is checked when escapes are resolved.
                position = min(position + 2, end)
            case 0..<0x20:
                throw OTLPDecodingError(at: position, "expected control characters in strings to be escaped")
            default:
                position += 1
            }
        }
        throw OTLPDecodingError(at: start, "expected a closing quote, the text ends within the string")
    }

    /// Passes over a number, checking its form.
    mutating func number() throws(OTLPDecodingError) -> UnsafeRawBufferPointer {
        guard let first = peek(), first == UInt8(ascii: "-") || Self.isDigit(first) else {
            throw unexpected("a number")
        }
        let start = position
        if first == UInt8(ascii: "-") { position += 1 }
        let integerStart = position
        guard skipDigits() > 0 else { throw unexpected("a digit") }
        guard position - integerStart == 1 || byte(at: integerStart) != UInt8(ascii: "0") else {
            throw OTLPDecodingError(at: integerStart, "expected a number without leading zeros")
        }
        if byte(at: position) == UInt8(ascii: ".") {
            position += 1
            guard skipDigits() > 0 else { throw unexpected("a digit") }
        }
        if let letter = byte(at: position), letter | 0x20 == UInt8(ascii: "e") {
            position += 1
            if let sign = byte(at: position), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            guard skipDigits() > 0 else { throw unexpected("a digit") }
        }
        return UnsafeRawBufferPointer(start: base + start, count: position - start)
    }

    /// Passes over `true`, `false` or `null`, where it comes next.
    mutating func take(literal: StaticString) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard peek() != nil, end - position >= count else { return false }
        for index in 0..<count where byte(at: position + index) != literal.utf8Start[index] { return false }
        position += count
        return true
    }

    /// Passes over a value of any kind.
    mutating func skipValue(depth: Int = 0) throws(OTLPDecodingError) {
        switch peek() {
        case UInt8(ascii: "\""):
            try JSONStringValue.check(string())
        case UInt8(ascii: "{"):
            try checkNesting(depth + 1)
            var object = try openObject()
            while let key = try nextKey(&object) {
                try JSONStringValue.check(key)
                try skipValue(depth: depth + 1)
            }
        case UInt8(ascii: "["):
            try checkNesting(depth + 1)
            var array = try openArray()
            while try nextElement(&array) { try skipValue(depth: depth + 1) }
        case UInt8(ascii: "t") where take(literal: "true"), UInt8(ascii: "f") where take(literal: "false"),
            UInt8(ascii: "n") where take(literal: "null"):
            break
        default:
            _ = try number()
        }
    }

    /// Refuses anything but white space up to the end.
    mutating func expectEnd() throws(OTLPDecodingError) {
        guard peek() == nil else { throw unexpected("nothing after the request") }
    }

    /// The error for a token that came instead of `expected`. Only punctuation is repeated; anything else might be part
    /// of a value.
    @inline(never)
    mutating func unexpected(_ expected: String) -> OTLPDecodingError {
        let found =
            switch peek() {
            case nil: "the end"
            case UInt8(ascii: "\""): "a string"
            case let byte? where Self.isDigit(byte) || byte == UInt8(ascii: "-"): "a number"
            case UInt8(ascii: "{"): "an object"
            case UInt8(ascii: "["): "an array"
            case let byte? where [0x2C, 0x3A, 0x5D, 0x7D].contains(byte): "'\(Unicode.Scalar(byte))'"
            case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): "a literal"
            default: "another character"
            }
        return OTLPDecodingError(at: position, "expected \(expected), got \(found)")
    }

    private func checkNesting(_ depth: Int) throws(OTLPDecodingError) {
        guard depth <= NestingLimit.unknownField else {
            throw OTLPDecodingError(
                at: position, "expected an unknown field to nest at most \(NestingLimit.unknownField) deep",
            )
        }
    }

    private func byte(at index: Int) -> UInt8? {
        index < end ? base.load(fromByteOffset: index, as: UInt8.self) : nil
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let digit = byte(at: position), Self.isDigit(digit) { position += 1 }
        return position - start
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
