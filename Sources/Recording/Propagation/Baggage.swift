/// Name-value pairs that travel with a request to every service it reaches (W3C Baggage).
///
///     var baggage = Baggage()
///     baggage["session.id"] = "5f4f…"
///     baggage.headerValue         // "session.id=5f4f…"
///
/// Anyone on the way can read it, so it holds no secrets. At most 64 members and 8,192 bytes as a header, the least
/// that the specification obliges others to carry; what goes beyond is left out.
public struct Baggage: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package var value: String
        /// Properties after the value, such as `ttl=60`, as they came.
        package var metadata: String

        package init(value: String, metadata: String = "") {
            self.value = value
            self.metadata = metadata
        }
    }

    private var members: [(name: String, member: Member)] = []

    static let memberLimit = 64
    static let lengthLimit = 8_192

    /// Creates baggage without members.
    public init() {}

    /// True if there is no member.
    package var isEmpty: Bool { members.isEmpty }

    /// Names in the order in which they were set.
    public var names: [String] { members.map(\.name) }

    /// The value under a name. Setting `nil` removes it; a name that is not an HTTP token is ignored.
    public subscript(name: String) -> String? {
        get { self[member: name]?.value }
        set { self[member: name] = newValue.map { Member(value: $0) } }
    }

    package subscript(member name: String) -> Member? {
        get { members.first { $0.name == name }?.member }
        set {
            guard Self.isToken(name[...]) else { return }
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let member?): members[index].member = member
            case (let index?, nil): members.remove(at: index)
            case (nil, let member?): if members.count < Self.memberLimit { members.append((name, member)) }
            case (nil, nil): break
            }
        }
    }

    /// Sets all of `other`; its values win.
    package func merging(_ other: Baggage) -> Baggage {
        var result = self
        for (name, member) in other.members { result[member: name] = member }
        return result
    }

    /// Reads a `baggage` header; members that break the grammar are passed over, as the specification allows, and those
    /// that end beyond the length limit are left out.
    ///
    /// Of a name that occurs twice the last one counts. Percent-encoded bytes that are no UTF-8 become U+FFFD, and a
    /// `%` that begins no code stands for itself.
    package init(header: String) {
        var length = 0
        for part in header.split(separator: ",", omittingEmptySubsequences: false) {
            length += part.utf8.count + (length == 0 ? 0 : 1)
            guard length <= Self.lengthLimit else { return }
            let pieces = part.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            guard let pair = pieces.first, let equals = pair.firstIndex(of: "=") else { continue }
            let name = pair[..<equals].trimmingSpaces()
            let value = pair[pair.index(after: equals)...].trimmingSpaces()
            guard Self.isToken(name), value.utf8.allSatisfy(PercentCoding.isBaggageOctet) else { continue }
            let metadata = pieces.count > 1 ? String(pieces[1].trimmingSpaces()) : ""
            self[member: String(name)] = Member(value: PercentCoding.decode(value), metadata: metadata)
        }
    }

    /// The header, with values percent-encoded as UTF-8; `nil` if there is nothing to send.
    ///
    /// Metadata that could not stand in a header is left out, and so are members that it has no room for.
    package var headerValue: String? {
        var header = ""
        for (name, member) in members {
            var text = name + "=" + PercentCoding.encode(member.value)
            if !member.metadata.isEmpty, Self.isMetadata(member.metadata) { text += ";" + member.metadata }
            if !header.isEmpty { text = "," + text }
            if header.utf8.count + text.utf8.count <= Self.lengthLimit { header += text }
        }
        return header.isEmpty ? nil : header
    }

    public static func == (left: Baggage, right: Baggage) -> Bool {
        left.members.elementsEqual(right.members) { $0 == $1 }
    }

    public func hash(into hasher: inout Hasher) {
        for (name, member) in members {
            hasher.combine(name)
            hasher.combine(member)
        }
    }

    /// Properties hold visible ASCII and blanks, and neither end the member nor quote.
    private static func isMetadata(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == UInt8(ascii: ";") || $0 == 0x20 || $0 == 0x09 || PercentCoding.isBaggageOctet($0) }
    }

    /// `token` of RFC 9110, section 5.6.2.
    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

/// Percent-encoding of UTF-8 as W3C Baggage wants it.
enum PercentCoding {
    /// Visible ASCII but `"`, `,`, `;` and `\`.
    static func isBaggageOctet(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
        default: false
        }
    }

    /// Keeps `baggage-octet`s other than `%`.
    static func encode(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isBaggageOctet(byte), byte != UInt8(ascii: "%") {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func decode(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(hexValue)
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x37 + nibble }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

extension Substring {
    func trimmingSpaces() -> Substring {
        var text = self
        while let first = text.utf8.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
