/// The W3C `tracestate` list: what each tracing system wants to carry along with a trace.
///
///     var state = TraceState(header: "ot=th:8;rv:6e6d1a75832a2f,vendor=1")
///     state?["ot"]        // "th:8;rv:6e6d1a75832a2f"
///
/// At most 32 members and 512 characters (W3C Trace Context, section 3.3). A list that breaks a rule is refused
/// whole, as the specification asks, and the trace goes on without it.
public struct TraceState: Hashable, Sendable {
    /// The header's text, already validated; empty where there is none. Kept as text because most spans only copy it.
    public let header: String

    @inlinable
    public init() {
        header = ""
    }

    /// Reads a header value; `nil` where a key, a value, the number of members or their uniqueness breaks the rules.
    public init?(header: String) {
        guard let members = Self.parse(header) else { return nil }
        self.init(validated: members)
    }

    private init(validated members: [(key: Substring, value: Substring)]) {
        header = members.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    }

    @inlinable public var isEmpty: Bool { header.isEmpty }

    /// The value of one member, without the key.
    public subscript(key: String) -> String? {
        guard !header.isEmpty, let members = Self.parse(header) else { return nil }
        return members.first { $0.key == key }.map { String($0.value) }
    }

    /// The list with `key` set and moved to the front, as a system that changes its member must do.
    ///
    /// The last member is dropped where the list would grow past 32; the list is unchanged where key or value is not
    /// valid.
    public func setting(_ key: String, to value: String) -> TraceState {
        guard Self.isValidKey(key[...]), Self.isValidValue(value[...]) else { return self }
        let others = (Self.parse(header) ?? []).filter { $0.key != key }
        return TraceState(validated: [(key[...], value[...])] + others.prefix(Self.memberLimit - 1))
    }

    private static let memberLimit = 32
    private static let lengthLimit = 512

    private static func parse(_ header: String) -> [(key: Substring, value: Substring)]? {
        guard header.utf8.count <= lengthLimit else { return nil }
        var members: [(key: Substring, value: Substring)] = []
        for part in header.split(separator: ",", omittingEmptySubsequences: true) {
            let member = part.trimmingOptionalWhitespace()
            if member.isEmpty { continue }
            guard let equals = member.firstIndex(of: "=") else { return nil }
            let key = member[..<equals]
            let value = member[member.index(after: equals)...]
            guard isValidKey(key), isValidValue(value), !members.contains(where: { $0.key == key }) else { return nil }
            members.append((key, value))
        }
        return members.count <= memberLimit ? members : nil
    }

    /// `lcalpha *255(lcalpha / DIGIT / "_" / "-" / "*" / "/")`, or a tenant of up to 241, an `@` and a system of up to
    /// 14 of these.
    private static func isValidKey(_ key: Substring) -> Bool {
        let parts = key.split(separator: "@", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return isIdentifier(parts[0], limit: 256, mayStartWithDigit: false)
        case 2:
            return isIdentifier(parts[0], limit: 241, mayStartWithDigit: true)
                && isIdentifier(parts[1], limit: 14, mayStartWithDigit: false)
        default: return false
        }
    }

    private static func isIdentifier(_ text: Substring, limit: Int, mayStartWithDigit: Bool) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= limit else { return false }
        guard (0x61...0x7A).contains(first) || (mayStartWithDigit && (0x30...0x39).contains(first)) else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }

    /// Up to 256 printable ASCII characters but `,` and `=`, not ending in a space.
    private static func isValidValue(_ value: Substring) -> Bool {
        guard let last = value.utf8.last, last != 0x20, value.utf8.count <= 256 else { return false }
        return value.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x2C && $0 != 0x3D }
    }
}

extension Substring {
    /// Without leading and trailing spaces and tabs (`OWS` in the HTTP grammar).
    func trimmingOptionalWhitespace() -> Substring {
        var text = self
        while let first = text.utf8.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
