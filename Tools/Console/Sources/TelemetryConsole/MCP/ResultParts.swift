import AstrolabeTelemetryModel
import ConsoleModel

/// The answer of a tool, cut to what an assistant can read at once.
///
/// Of an answer that is too long, the outline is returned. It has what is small, and the sizes of what is large:
///
///     {"part":"@0","bytes":480120,"count":2,
///      "members":{"group":{…},"problems":{"part":"/problems@0","count":100,"bytes":470300}}}
///
/// A part is a JSON pointer and the number of the first element. Asked for, it is returned in the same way, with the
/// next part of an array in `next`. A text is cut into parts as well.
struct ResultParts {
    private let bytes: [UInt8]
    private let limit: Int

    /// - Parameters:
    ///   - bytes: JSON that ``JSONText`` wrote.
    ///   - limit: The maximum size of a part in bytes.
    init(_ bytes: [UInt8], limit: Int) {
        self.bytes = bytes
        self.limit = limit
    }

    /// Returns the whole answer or its outline, or a part of it.
    func text(of part: String?) throws(MCPError) -> String {
        guard let part, !part.isEmpty else {
            if bytes.count <= limit { return String(decoding: bytes, as: UTF8.self) }
            return outline(of: bytes.indices, pointer: "", from: 0)
        }
        guard let end = part.lastIndex(of: "@"), let first = Int(part[part.index(after: end)...]), first >= 0,
            let value = value(at: part[..<end])
        else {
            throw .invalid("part: expected a part that the answer before names, found \(part.prefix(100))")
        }
        return outline(of: value, pointer: String(part[..<end]), from: first)
    }

    private func outline(of value: Range<Int>, pointer: String, from first: Int) -> String {
        var text = JSONText(capacity: min(value.count, limit) + 1_000)
        text.object { text in
            text.member("part", "\(pointer)@\(first)")
            text.member("bytes", value.count)
            switch bytes[value.lowerBound] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): text.append(children(of: value), in: self, pointer, from: first)
            case UInt8(ascii: "\""): text.append(self.text(in: value), in: self, pointer, from: first)
            default: text.member("value") { $0.append(json: json(value)) }
            }
        }
        return text.string
    }
}

/// The division of the JSON. It is not read, only where its values begin and end.
extension ResultParts {
    fileprivate struct Child {
        /// The name of a member, or the number of an element.
        let key: String
        let value: Range<Int>
        let isMember: Bool
    }

    /// Returns the value at a JSON pointer (RFC 6901); `nil` if there is none.
    private func value(at pointer: Substring) -> Range<Int>? {
        var value = bytes.indices
        for key in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = key.replacing("~1", with: "/").replacing("~0", with: "~")
            guard let child = children(of: value).first(where: { $0.key == name }) else { return nil }
            value = child.value
        }
        return value.isEmpty ? nil : value
    }

    fileprivate func children(of value: Range<Int>) -> [Child] {
        let isObject = bytes[value.lowerBound] == UInt8(ascii: "{")
        guard isObject || bytes[value.lowerBound] == UInt8(ascii: "[") else { return [] }
        var children: [Child] = []
        var position = value.lowerBound + 1
        while position < value.upperBound - 1 {
            var key = String(children.count)
            if isObject {
                let name = position..<end(ofValueAt: position)
                key = text(in: name)
                // A colon follows.
                position = name.upperBound + 1
            }
            let child = position..<end(ofValueAt: position)
            children.append(Child(key: key, value: child, isMember: isObject))
            // A comma follows, or the end.
            position = child.upperBound + 1
        }
        return children
    }

    private func end(ofValueAt start: Int) -> Int {
        var position = start
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = end(ofTextAt: position)
                if depth == 0 { return position }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // Without an opening one, it ends what a number is in.
                if depth == 0 { return position }
                depth -= 1
                if depth == 0 { return position + 1 }
            case UInt8(ascii: ",") where depth == 0: return position
            default: break
            }
            position += 1
        }
        return position
    }

    private func end(ofTextAt start: Int) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, bytes.count)
    }

    fileprivate func json(_ value: Range<Int>) -> String {
        String(decoding: bytes[value], as: UTF8.self)
    }

    fileprivate func text(in value: Range<Int>) -> String {
        JSONText.value(in: json(value))?.stringValue ?? json(value)
    }

    /// The size from which on a child is named in place of being shown.
    fileprivate var longestChild: Int { limit / 4 }
    /// The size at which a part ends. Its own members need some room.
    fileprivate var longestPart: Int { limit - limit / 10 }
    /// The number of characters of a text in one part. Each has 6 bytes at most in JSON.
    fileprivate var textLength: Int { limit / 8 }

    fileprivate func isContainer(_ value: Range<Int>) -> Bool {
        value.first.map { bytes[$0] == UInt8(ascii: "{") || bytes[$0] == UInt8(ascii: "[") } ?? false
    }
}

extension JSONText {
    /// The number of characters that a long text in an outline begins with.
    private static let beginning = 200

    /// Appends the children from a number on, as many as fit.
    fileprivate mutating func append(
        _ children: [ResultParts.Child], in parts: ResultParts, _ pointer: String, from first: Int,
    ) {
        var shown: [(key: String, json: String)] = []
        var size = 0
        for child in children.dropFirst(first) {
            let key = child.key.replacing("~", with: "~0").replacing("/", with: "~1")
            let json =
                child.value.count <= parts.longestChild
                ? parts.json(child.value) : Self.size(of: child.value, in: parts, "\(pointer)/\(key)")
            size += json.utf8.count + child.key.utf8.count + 4
            guard shown.isEmpty || size <= parts.longestPart else { break }
            shown.append((child.key, json))
        }
        member("count", children.count)
        if children.first?.isMember ?? false {
            member("members") { text in
                text.object { text in
                    for child in shown { text.member(named: child.key) { $0.append(json: child.json) } }
                }
            }
        } else {
            member("elements") { $0.array(shown) { $0.append(json: $1.json) } }
        }
        let next = first + shown.count
        if next < children.count { member("next", "\(pointer)@\(next)") }
    }

    /// Appends a part of a text.
    fileprivate mutating func append(_ text: String, in parts: ResultParts, _ pointer: String, from first: Int) {
        let scalars = text.unicodeScalars
        var part = String.UnicodeScalarView()
        part.append(contentsOf: scalars.dropFirst(first).prefix(parts.textLength))
        member("count", scalars.count)
        member("text", String(part))
        let next = first + part.count
        if next < scalars.count { member("next", "\(pointer)@\(next)") }
    }

    /// Returns what stands for a value that is too long: its part, its size, and how it begins if it is a text.
    private static func size(of value: Range<Int>, in parts: ResultParts, _ pointer: String) -> String {
        var text = JSONText()
        text.object { text in
            text.member("part", "\(pointer)@0")
            text.member("bytes", value.count)
            if parts.isContainer(value) {
                text.member("count", parts.children(of: value).count)
            } else {
                text.member("begins", String(parts.text(in: value).prefix(Self.beginning)))
            }
        }
        return text.string
    }
}
