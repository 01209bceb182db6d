import AstrolabeJSONTokens

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
        var reader = Reader(tokens: JSONTokens(bytes))
        self = try reader.value(at: "$", depth: 0)
        reader.tokens.skipSpace()
        guard reader.tokens.next == nil else { throw PolicyFinding("$", "expected nothing after the object") }
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
        var tokens: JSONTokens

        mutating func value(at path: String, depth: Int) throws(PolicyFinding) -> StrictJSON {
            tokens.skipSpace()
            guard depth < StrictJSON.depthLimit else {
                throw PolicyFinding(path, "expected at most \(StrictJSON.depthLimit) levels")
            }
            switch tokens.next {
            case UInt8(ascii: "{"): return .object(try members(at: path, depth: depth))
            case UInt8(ascii: "["): return .array(try elements(at: path, depth: depth))
            case UInt8(ascii: "\""): return .string(try string(at: path))
            case UInt8(ascii: "-"), .some(0x30...0x39):
                guard let number = tokens.number() else {
                    throw PolicyFinding(path, "expected a number such as 5 or 0.25")
                }
                return .number(number)
            default:
                switch tokens.word() {
                case .true?: return .bool(true)
                case .false?: return .bool(false)
                case .null?: return .null
                case nil:
                    throw PolicyFinding(path, "expected a JSON value, such as an object, a string or a number")
                }
            }
        }

        private mutating func members(at path: String, depth: Int) throws(PolicyFinding) -> [Member] {
            _ = tokens.take("{")
            var members: [Member] = []
            var known: Set<String> = []
            if tokens.take("}") { return members }
            repeat {
                tokens.skipSpace()
                guard tokens.next == UInt8(ascii: "\"") else {
                    throw PolicyFinding(path, "expected a key in double quotes")
                }
                let key = try string(at: path)
                let inner = "\(path).\(key.prefix(64))"
                guard known.insert(key).inserted else {
                    throw PolicyFinding(inner, "expected each key once, found it twice")
                }
                guard tokens.take(":") else { throw PolicyFinding(inner, "expected a colon after the key") }
                members.append(Member(key: key, value: try value(at: inner, depth: depth + 1)))
            } while tokens.take(",")
            guard tokens.take("}") else { throw PolicyFinding(path, "expected a comma or } after a member") }
            return members
        }

        private mutating func elements(at path: String, depth: Int) throws(PolicyFinding) -> [StrictJSON] {
            _ = tokens.take("[")
            var elements: [StrictJSON] = []
            if tokens.take("]") { return elements }
            repeat {
                elements.append(try value(at: "\(path)[\(elements.count)]", depth: depth + 1))
            } while tokens.take(",")
            guard tokens.take("]") else { throw PolicyFinding(path, "expected a comma or ] after an element") }
            return elements
        }

        private mutating func string(at path: String) throws(PolicyFinding) -> String {
            do throws(JSONTokens.StringFault) {
                return try tokens.string()
            } catch {
                let problem =
                    switch error {
                    case .escape: "expected an escape such as \\n, \\\" or \\u00e9"
                    case .control: "expected control characters as escapes, such as \\n"
                    case .end: "expected a double quote at the end of the string"
                    }
                throw PolicyFinding(path, problem)
            }
        }
    }
}
