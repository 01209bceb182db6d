/// The W3C `tracestate` list: the values that tracing systems carry along with a trace.
///
///     var state = TraceState(header: "ot=th:8;rv:6e6d1a75832a2f,vendor=1")
///     state?["ot"]        // "th:8;rv:6e6d1a75832a2f"
///
/// A list that breaks a rule (a member's form, 32 members at most) is refused whole, and the trace goes on without it.
/// W3C Trace Context asks for that in section 3.3. One that is merely longer than 512 characters loses whole members:
/// those of more than 128 characters first, then from the end.
public struct TraceState: Hashable, Sendable {
    /// The header's text, already validated; empty if there is none. Kept as text because most spans only copy it.
    public let header: String

    /// Creates an empty list.
    @inlinable
    public init() {
        header = ""
    }

    /// Reads a header value; `nil` where a key, a value or the number of members breaks the rules.
    ///
    /// A key that appears twice is kept twice: the state belongs to other systems.
    public init?(header: String) {
        guard let members = Self.parse(header) else { return nil }
        self.init(validated: members)
    }

    private init(validated members: [(key: Substring, value: Substring)]) {
        var texts = members.map { "\($0.key)=\($0.value)" }
        func isTooLong() -> Bool { texts.reduce(texts.count - 1) { $0 + $1.utf8.count } > Self.lengthLimit }
        while isTooLong(), let long = texts.lastIndex(where: { $0.utf8.count > Self.longMember }) {
            texts.remove(at: long)
        }
        while isTooLong() { texts.removeLast() }
        header = texts.joined(separator: ",")
    }

    /// True if the list has no members.
    @inlinable public var isEmpty: Bool { header.isEmpty }

    /// The value of one member, without the key.
    public subscript(key: String) -> String? {
        guard !header.isEmpty, let members = Self.parse(header) else { return nil }
        return members.first { $0.key == key }.map { String($0.value) }
    }

    /// The list with `key` set and moved to the front, as a system that changes its member must do.
    ///
    /// Where the list would grow too long, others are dropped, the last ones first; the list is unchanged where key or
    /// value is not valid.
    public func setting(_ key: String, to value: String) -> TraceState {
        guard Self.isValidKey(key[...]), Self.isValidValue(value[...]) else { return self }
        let others = (Self.parse(header) ?? []).filter { $0.key != key }
        return TraceState(validated: [(key[...], value[...])] + others.prefix(Self.memberLimit - 1))
    }

    /// The list without the member `key`.
    public func removing(_ key: String) -> TraceState {
        TraceState(validated: (Self.parse(header) ?? []).filter { $0.key != key })
    }

    private static let memberLimit = 32
    private static let lengthLimit = 512
    private static let longMember = 128

    private static func parse(_ header: String) -> [(key: Substring, value: Substring)]? {
        var members: [(key: Substring, value: Substring)] = []
        for part in header.split(separator: ",", omittingEmptySubsequences: true) {
            let member = part.trimmingOptionalWhitespace()
            if member.isEmpty { continue }
            guard let equals = member.firstIndex(of: "=") else { return nil }
            let key = member[..<equals]
            let value = member[member.index(after: equals)...]
            guard members.count < memberLimit, isValidKey(key), isValidValue(value) else { return nil }
            members.append((key, value))
        }
        return members
    }

    /// `( lcalpha / DIGIT ) 0*255( lcalpha / DIGIT / "_" / "-" / "*" / "/" / "@" )`, the grammar of Level 2.
    private static func isValidKey(_ key: Substring) -> Bool {
        guard let first = key.utf8.first, key.utf8.count <= 256 else { return false }
        guard (0x61...0x7A).contains(first) || (0x30...0x39).contains(first) else { return false }
        return key.utf8.allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"),
                UInt8(ascii: "@"):
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
