/// A JSON value that keeps numbers, booleans and repeated keys apart, as Foundation's readers do not.
enum StrictJSON: Equatable {
    case null
    case bool(Bool)
    /// The digits as they were written.
    case number(String)
    case string(String)
    case array([StrictJSON])
    /// The members in their order. No key occurs twice.
    case object([Member])

    struct Member: Equatable {
        var key: String
        var value: StrictJSON
    }

    /// The deepest that values nest.
    static let depthLimit = 16

    /// Reads one value, which is all of the bytes.
    ///
    /// - Throws: A finding with the path of the fault.
    init(_ bytes: [UInt8]) throws(PolicyFinding) {
        guard String(validating: bytes) != nil else {
            throw PolicyFinding("$", "expected JSON in UTF-8, found other bytes")
        }
        var reader = Reader(bytes: bytes)
        self = try reader.value(at: "$", depth: 0)
        reader.skipSpace()
        guard reader.next == nil else { throw PolicyFinding("$", "expected nothing after the object") }
    }

    /// A name of the value's type, for messages.
    var found: String {
        switch self {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let digits): String(digits.prefix(32))
        case .string(let text): "\"\(text.prefix(64))\""
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension String {
    /// The text, if the bytes are UTF-8.
    fileprivate init?(validating bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}

extension StrictJSON {
    fileprivate struct Reader {
        let bytes: [UInt8]
        private var offset = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

        mutating func skipSpace() {
            while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { offset += 1 }
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            skipSpace()
            guard next == UInt8(ascii: character) else { return false }
            offset += 1
            return true
        }

        mutating func value(at path: String, depth: Int) throws(PolicyFinding) -> StrictJSON {
            skipSpace()
            guard depth < StrictJSON.depthLimit else {
                throw PolicyFinding(path, "expected at most \(StrictJSON.depthLimit) levels")
            }
            switch next {
            case UInt8(ascii: "{"): return .object(try members(at: path, depth: depth))
            case UInt8(ascii: "["): return .array(try elements(at: path, depth: depth))
            case UInt8(ascii: "\""): return .string(try string(at: path))
            case UInt8(ascii: "-"), .some(0x30...0x39): return .number(try number(at: path))
            default: return try word(at: path)
            }
        }

        private mutating func members(at path: String, depth: Int) throws(PolicyFinding) -> [Member] {
            offset += 1
            var members: [Member] = []
            var known: Set<String> = []
            if take("}") { return members }
            repeat {
                skipSpace()
                guard next == UInt8(ascii: "\"") else {
                    throw PolicyFinding(path, "expected a key in double quotes")
                }
                let key = try string(at: path)
                let inner = "\(path).\(key.prefix(64))"
                guard known.insert(key).inserted else {
                    throw PolicyFinding(inner, "expected each key once, found it twice")
                }
                guard take(":") else { throw PolicyFinding(inner, "expected a colon after the key") }
                members.append(Member(key: key, value: try value(at: inner, depth: depth + 1)))
            } while take(",")
            guard take("}") else { throw PolicyFinding(path, "expected a comma or } after a member") }
            return members
        }

        private mutating func elements(at path: String, depth: Int) throws(PolicyFinding) -> [StrictJSON] {
            offset += 1
            var elements: [StrictJSON] = []
            if take("]") { return elements }
            repeat {
                elements.append(try value(at: "\(path)[\(elements.count)]", depth: depth + 1))
            } while take(",")
            guard take("]") else { throw PolicyFinding(path, "expected a comma or ] after an element") }
            return elements
        }

        private mutating func word(at path: String) throws(PolicyFinding) -> StrictJSON {
            let words: [(String, StrictJSON)] = [("true", .bool(true)), ("false", .bool(false)), ("null", .null)]
            for (word, value) in words where bytes[offset...].starts(with: word.utf8) {
                offset += word.utf8.count
                return value
            }
            throw PolicyFinding(path, "expected a JSON value, such as an object, a string or a number")
        }

        private mutating func number(at path: String) throws(PolicyFinding) -> String {
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
            guard isValid else { throw PolicyFinding(path, "expected a number such as 5 or 0.25") }
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        }

        private mutating func digits() -> Int {
            let start = offset
            while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
            return offset - start
        }

        private mutating func string(at path: String) throws(PolicyFinding) -> String {
            offset += 1
            var units: [UInt8] = []
            while let byte = next {
                switch byte {
                case UInt8(ascii: "\""):
                    offset += 1
                    return String(decoding: units, as: UTF8.self)
                case UInt8(ascii: "\\"): units += try escape(at: path)
                case 0..<0x20: throw PolicyFinding(path, "expected control characters as escapes, such as \\n")
                default:
                    units.append(byte)
                    offset += 1
                }
            }
            throw PolicyFinding(path, "expected a double quote at the end of the string")
        }

        /// The UTF-8 of the escape that begins here.
        private mutating func escape(at path: String) throws(PolicyFinding) -> [UInt8] {
            let simple: [UInt8: UInt8] = [
                0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
            ]
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
            throw PolicyFinding(path, "expected an escape such as \\n, \\\" or \\u00e9")
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
}
