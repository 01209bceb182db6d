import Astrolabe
import AstrolabeJSONTokens
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
    private var tokens: JSONTokens

    /// Reads one value, the whole of `source`, and replaces the references to variables in its texts.
    static func read(
        _ source: ConfigurationSource, environment: [String: String],
    ) throws(ConfigurationError) -> ConfigurationNode {
        guard source.bytes.count <= sizeLimit else {
            throw ConfigurationError(
                source: source.name, problem: "expected at most \(sizeLimit) bytes, found more")
        }
        guard String(bytes: source.bytes, encoding: .utf8) != nil else {
            throw ConfigurationError(source: source.name, problem: "expected JSON in UTF-8, found other bytes")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var reader = PositionedJSON(
            source: source, substitution: EnvironmentSubstitution(environment: environment),
            tokens: JSONTokens(source.bytes, from: source.bytes.starts(with: mark) ? mark.count : 0))
        let node = try reader.value(at: .root, depth: 0)
        reader.tokens.skipSpace()
        guard reader.tokens.next == nil else {
            throw reader.error(.root, "expected the end of the file after the object")
        }
        return node
    }

    private func error(_ path: ConfigurationPath, _ problem: String) -> ConfigurationError {
        source.error(tokens.offset, path, problem)
    }

    private mutating func value(
        at path: ConfigurationPath, depth: Int,
    ) throws(ConfigurationError) -> ConfigurationNode {
        tokens.skipSpace()
        guard depth < Self.depthLimit else { throw error(path, "expected at most \(Self.depthLimit) levels") }
        let start = tokens.offset
        let value: ConfigurationNode.Value
        switch tokens.next {
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
        _ = tokens.take("{")
        var members: [ConfigurationMember] = []
        var known: Set<String> = []
        if tokens.take("}") { return members }
        repeat {
            tokens.skipSpace()
            let start = tokens.offset
            guard tokens.next == UInt8(ascii: "\"") else { throw error(path, "expected a key in double quotes") }
            let key = try string(at: path)
            let inner = ConfigurationPath.key(key, path)
            guard known.insert(key).inserted else {
                throw source.error(start, inner, "expected each key once, found it twice. Remove one of them.")
            }
            guard tokens.take(":") else { throw error(inner, "expected a colon after the key") }
            members.append(
                ConfigurationMember(key: key, offset: start, node: try value(at: inner, depth: depth + 1)))
        } while tokens.take(",")
        guard tokens.take("}") else { throw error(path, "expected a comma or } after a member") }
        return members
    }

    private mutating func elements(
        at path: ConfigurationPath, depth: Int,
    ) throws(ConfigurationError) -> [ConfigurationNode] {
        _ = tokens.take("[")
        var elements: [ConfigurationNode] = []
        if tokens.take("]") { return elements }
        repeat {
            elements.append(try value(at: .index(elements.count, path), depth: depth + 1))
        } while tokens.take(",")
        guard tokens.take("]") else { throw error(path, "expected a comma or ] after an element") }
        return elements
    }

    private mutating func word(at path: ConfigurationPath) throws(ConfigurationError) -> ConfigurationNode.Value {
        switch tokens.word() {
        case .true?: return .bool(true)
        case .false?: return .bool(false)
        case .null?: return .null
        case nil:
            throw error(path, "expected a JSON value, such as an object, a string in double quotes or a number")
        }
    }

    private mutating func number(at path: ConfigurationPath) throws(ConfigurationError) -> String {
        let start = tokens.offset
        guard let number = tokens.number() else {
            throw source.error(start, path, "expected a number such as 5000 or 0.25")
        }
        return number
    }

    private mutating func string(at path: ConfigurationPath) throws(ConfigurationError) -> String {
        do throws(JSONTokens.StringFault) {
            return try tokens.string()
        } catch .escape(let start) {
            throw source.error(start, path, "expected an escape such as \\n, \\\" or \\u00e9")
        } catch .control {
            throw self.error(path, "expected the control character in the string as an escape, such as \\n")
        } catch {
            throw self.error(
                path, "expected a double quote at the end of the string, found the end of the file")
        }
    }
}
