import Astrolabe
import Foundation

/// Reads JSON and keeps the place of each key and value.
///
/// Foundation's readers do not say where in the file a value is. This one takes at most 1 MiB and 32 levels, and
/// refuses a key that occurs twice in an object.
struct PositionedJSON {
    static let sizeLimit = 1_048_576
    static let depthLimit = 32

    private let source: ConfigurationSource
    private let substitution: EnvironmentSubstitution
    private var offset = 0

    /// Reads one value, the whole of `source`, and replaces the references to variables in its texts.
    static func read(
        _ source: ConfigurationSource, environment: [String: String],
    ) throws(ConfigurationError) -> ConfigurationNode {
        guard source.bytes.count <= sizeLimit else {
            throw ConfigurationError(
                source: source.name, problem: "expected at most \(sizeLimit) bytes, found more", )
        }
        guard String(bytes: source.bytes, encoding: .utf8) != nil else {
            throw ConfigurationError(source: source.name, problem: "expected JSON in UTF-8, found other bytes")
        }
        var reader = PositionedJSON(
            source: source, substitution: EnvironmentSubstitution(environment: environment), )
        if source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.offset = 3 }
        let node = try reader.value(at: .root, depth: 0)
        reader.skipSpace()
        guard reader.next == nil else { throw reader.error(.root, "expected the end of the file after the object") }
        return node
    }

    private init(source: ConfigurationSource, substitution: EnvironmentSubstitution) {
        self.source = source
        self.substitution = substitution
    }

    private var next: UInt8? { offset < source.bytes.count ? source.bytes[offset] : nil }

    private func error(_ path: ConfigurationPath, _ problem: String) -> ConfigurationError {
        source.error(offset, path, problem)
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func value(
        at path: ConfigurationPath, depth: Int,
    ) throws(ConfigurationError) -> ConfigurationNode {
        skipSpace()
        guard depth < Self.depthLimit else { throw error(path, "expected at most \(Self.depthLimit) levels") }
        let start = offset
        let value: ConfigurationNode.Value
        switch next {
        case UInt8(ascii: "{"): value = .object(try members(at: path, depth: depth))
        case UInt8(ascii: "["): value = .array(try elements(at: path, depth: depth))
        case UInt8(ascii: "\""):
            let text = try string(at: path)
            do throws(EnvironmentSubstitution.InvalidReference) {
                let result = try substitution.apply(to: text)
                value = .string(result.text, isSubstituted: result.isSubstituted)
            } catch {
                throw source.error(start, path, error.problem)
            }
        case UInt8(ascii: "-"), .some(0x30...0x39): value = .number(try number(at: path))
        default: value = try word(at: path)
        }
        return ConfigurationNode(value: value, offset: start, path: path)
    }

    private mutating func members(
        at path: ConfigurationPath, depth: Int,
    ) throws(ConfigurationError) -> [ConfigurationMember] {
        offset += 1
        var members: [ConfigurationMember] = []
        var known: Set<String> = []
        if take("}") { return members }
        repeat {
            skipSpace()
            let start = offset
            guard next == UInt8(ascii: "\"") else { throw error(path, "expected a key in double quotes") }
            let key = try string(at: path)
            let inner = ConfigurationPath.key(key, path)
            guard known.insert(key).inserted else {
                throw source.error(start, inner, "expected each key once, found it twice. Remove one of them.")
            }
            guard take(":") else { throw error(inner, "expected a colon after the key") }
            members.append(
                ConfigurationMember(key: key, offset: start, node: try value(at: inner, depth: depth + 1)))
        } while take(",")
        guard take("}") else { throw error(path, "expected a comma or } after a member") }
        return members
    }

    private mutating func elements(
        at path: ConfigurationPath, depth: Int,
    ) throws(ConfigurationError) -> [ConfigurationNode] {
        offset += 1
        var elements: [ConfigurationNode] = []
        if take("]") { return elements }
        repeat {
            elements.append(try value(at: .index(elements.count, path), depth: depth + 1))
        } while take(",")
        guard take("]") else { throw error(path, "expected a comma or ] after an element") }
        return elements
    }

    private mutating func word(at path: ConfigurationPath) throws(ConfigurationError) -> ConfigurationNode.Value {
        let words: [(String, ConfigurationNode.Value)] = [
            ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
        ]
        for (word, value) in words where source.bytes[offset...].starts(with: word.utf8) {
            offset += word.utf8.count
            return value
        }
        throw error(path, "expected a JSON value, such as an object, a string in double quotes or a number")
    }

    private mutating func number(at path: ConfigurationPath) throws(ConfigurationError) -> String {
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
        guard isValid else { throw source.error(start, path, "expected a number such as 5000 or 0.25") }
        return String(decoding: source.bytes[start..<offset], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = offset
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
        return offset - start
    }

    private mutating func string(at path: ConfigurationPath) throws(ConfigurationError) -> String {
        offset += 1
        var units: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return String(decoding: units, as: UTF8.self)
            case UInt8(ascii: "\\"): units.append(contentsOf: try escape(at: path))
            case 0..<0x20: throw error(path, "expected the control character in the string as an escape, such as \\n")
            default:
                units.append(byte)
                offset += 1
            }
        }
        throw error(path, "expected a double quote at the end of the string, found the end of the file")
    }

    /// The UTF-8 of the escape that begins here.
    private mutating func escape(at path: ConfigurationPath) throws(ConfigurationError) -> [UInt8] {
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
        throw source.error(start, path, "expected an escape such as \\n, \\\" or \\u00e9")
    }

    /// The number of `u` and four hexadecimal digits.
    private mutating func hexadecimal() -> UInt32? {
        let end = offset + 5
        guard next == UInt8(ascii: "u"), end <= source.bytes.count else { return nil }
        let text = String(decoding: source.bytes[(offset + 1)..<end], as: UTF8.self)
        guard text.allSatisfy(\.isHexDigit), let number = UInt32(text, radix: 16) else { return nil }
        offset = end
        return number
    }
}
