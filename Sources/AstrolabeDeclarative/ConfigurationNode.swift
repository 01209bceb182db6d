import Astrolabe

/// One value of a configuration file, with its place in the file.
struct ConfigurationNode: Sendable {
    enum Value: Sendable {
        case null
        case bool(Bool)
        /// The digits as they are in the file.
        case number(String)
        /// A text after substitution. `isSubstituted` tells whether it had a reference to a variable.
        case string(String, isSubstituted: Bool)
        case array([ConfigurationNode])
        case object([ConfigurationMember])
    }

    let value: Value
    /// The offset of the value's first byte.
    let offset: Int
    let path: ConfigurationPath

    /// The value of a key; `nil` if the key is absent or its value is null.
    subscript(_ key: String) -> ConfigurationNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == key && !$0.node.isNull }?.node
    }

    /// The elements of an array; none for any other value.
    var elements: [ConfigurationNode] {
        if case .array(let elements) = value { elements } else { [] }
    }

    /// The members of an object; none for any other value.
    var members: [ConfigurationMember] {
        if case .object(let members) = value { members } else { [] }
    }

    /// True if this is null, or a text of references to variables that are all empty.
    var isNull: Bool {
        switch value {
        case .null, .string("", isSubstituted: true): true
        case .bool, .number, .string, .array, .object: false
        }
    }

    var text: String? {
        if case .string(let text, _) = value { text } else { nil }
    }

    var bool: Bool? {
        switch value {
        case .bool(let flag): flag
        case .string(let text, isSubstituted: true): ["true": true, "false": false][text.lowercased()]
        case .null, .number, .string, .array, .object: nil
        }
    }

    /// A whole number. JSON Schema counts `5000.0` and `5e3` as whole.
    var integer: Int? {
        switch value {
        case .number(let digits): Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
        case .string(let text, isSubstituted: true):
            text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    var number: Double? {
        let text: String
        switch value {
        case .number(let digits): text = digits
        case .string(let replaced, isSubstituted: true): text = replaced
        case .null, .bool, .string, .array, .object: return nil
        }
        guard let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// The kind of the value, without the value, which may be a secret.
    var kind: String {
        switch value {
        case .null: "null"
        case .bool: "true or false"
        case .number(let digits): digits.count <= 16 ? "the number \(digits)" : "a number"
        case .string: "a string"
        case .array(let elements): elements.isEmpty ? "an empty array" : "an array"
        case .object: "an object"
        }
    }
}

/// A key with its value, and the place of the key.
struct ConfigurationMember: Sendable {
    let key: String
    /// The offset of the key's first byte.
    let offset: Int
    let node: ConfigurationNode
}

/// The keys and indexes that lead to a value, such as `tracer_provider.processors[0].batch`.
indirect enum ConfigurationPath: Sendable, CustomStringConvertible {
    case root
    case key(String, ConfigurationPath)
    case index(Int, ConfigurationPath)

    var description: String {
        switch self {
        case .root: return ""
        case .key(let key, .root): return key
        case .key(let key, let parent): return "\(parent).\(key)"
        case .index(let index, let parent): return "\(parent)[\(index)]"
        }
    }
}

/// The bytes of a configuration file, which turn an offset into a line and a column.
struct ConfigurationSource: Sendable {
    let name: String
    let bytes: [UInt8]

    /// `otel.json:12:9`: the file, the line and the column, both from 1. A column is one Unicode scalar.
    func place(_ offset: Int) -> String {
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return "\(name):\(line):\(column)"
    }

    func error(_ offset: Int, _ path: ConfigurationPath, _ problem: String) -> ConfigurationError {
        ConfigurationError(source: place(offset), key: path.description, problem: problem)
    }
}
