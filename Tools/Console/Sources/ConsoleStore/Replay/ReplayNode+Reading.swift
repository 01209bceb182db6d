import AstrolabeTelemetryModel

/// Reads nodes that anybody may have sent.
///
/// A key whose value is of another type is left out, a number or a list beyond its bounds is brought within them, and
/// each of these is counted, so that a reader can say that a frame is not as it was sent.
struct ReplayNodeReader {
    private(set) var faults = 0
    /// Children that the frame's nodes may still name: a tree of `ReplayFrame.nodeLimit` nodes has no more.
    private var childrenLeft = 2 * ReplayFrame.nodeLimit

    /// `nil` for what is no map with an id and a role.
    mutating func node(_ value: AttributeValue) -> ReplayNode? {
        guard let members = value.members, let id = id(members["id"]), let role = members["role"]?.stringValue else {
            faults += 1
            return nil
        }
        var node = ReplayNode(id: id, role: ReplayNode.roles.contains(role) ? role : "group")
        for member in members { read(member.key, member.value, into: &node) }
        // A field says nothing of its content, and a mask outweighs a text.
        if node.text != nil, node.role == "field" || !node.words.isEmpty {
            node.text = nil
            faults += 1
        }
        return node
    }

    private mutating func read(_ key: String, _ value: AttributeValue, into node: inout ReplayNode) {
        switch key {
        case "children": node.children = children(value)
        case "words": node.words = words(value)
        case "text": node.text = text(value, limit: 400)
        case "name": node.name = text(value, limit: 200)
        case "box":
            node.box = lengths(value, -100_000...100_000).map { [$0[0], $0[1], max($0[2], 0), max($0[3], 0)] }
        case "padding": node.padding = lengths(value, -1_000...1_000)
        case "spacing": node.spacing = length(value, -1_000...1_000)
        case "align": node.align = alignment(value)
        case "width": node.width = length(value, 0...10_000)
        case "height": node.height = length(value, 0...10_000)
        case "grow": node.grow = truth(value) ?? false
        case "columns": node.columns = length(value, 1...24).map { Int64($0) }
        case "size": node.size = length(value, 1...200)
        case "bold": node.bold = truth(value) ?? false
        case "fill": node.fill = color(value)
        case "ink": node.ink = color(value)
        case "radius": node.radius = length(value, 0...1_000)
        case "on": node.isOn = truth(value)
        case "fraction": node.fraction = length(value, 0...1)
        case "dim": node.isDim = truth(value) ?? false
        default: break
        }
    }

    /// Ids that a browser's numbers hold exactly.
    private func id(_ value: AttributeValue?) -> Int64? {
        guard let id = value?.intValue, id.magnitude <= JSONText.exactLimit.magnitude else { return nil }
        return id
    }

    mutating func ids(_ value: AttributeValue, limit: Int) -> [Int64] {
        guard case .array(let elements) = value else {
            faults += 1
            return []
        }
        let ids = elements.prefix(limit).compactMap(id)
        if ids.count < elements.count { faults += 1 }
        return ids
    }

    private mutating func children(_ value: AttributeValue) -> [Int64] {
        let ids = ids(value, limit: childrenLeft)
        childrenLeft -= ids.count
        return ids
    }

    private mutating func words(_ value: AttributeValue) -> [Int64] {
        guard case .array(let elements) = value else {
            faults += 1
            return []
        }
        let words = elements.prefix(60).compactMap(\.intValue).filter { $0 > 0 }.map { min($0, 20) }
        if words != elements.compactMap(\.intValue) { faults += 1 }
        return words
    }

    private mutating func text(_ value: AttributeValue, limit: Int) -> String? {
        let text = value.stringValue
        // Counted in code points: one character may hold any number of them.
        guard let text, text.unicodeScalars.count <= limit else {
            faults += 1
            return text.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(limit))) }
        }
        return text
    }

    private mutating func truth(_ value: AttributeValue) -> Bool? {
        if value.boolValue == nil { faults += 1 }
        return value.boolValue
    }

    private mutating func length(_ value: AttributeValue, _ range: ClosedRange<Double>) -> Double? {
        let number = value.number.map { min(max($0, range.lowerBound), range.upperBound) }
        if number == nil || number != value.number { faults += 1 }
        return number
    }

    /// Four lengths.
    private mutating func lengths(_ value: AttributeValue, _ range: ClosedRange<Double>) -> [Double]? {
        let numbers = value.elements.prefix(5).compactMap { length($0, range) }
        guard numbers.count == 4 else {
            faults += 1
            return nil
        }
        return numbers
    }

    private mutating func alignment(_ value: AttributeValue) -> String? {
        let words = value.stringValue?.split(separator: " ").map(String.init) ?? []
        guard (1...2).contains(words.count), words.allSatisfy(Self.alignments.contains) else {
            faults += 1
            return nil
        }
        return words.joined(separator: " ")
    }

    private static let alignments: Set<String> = ["leading", "center", "trailing", "top", "bottom"]

    /// A name that a player knows or `#rrggbb`, with `/0` to `/100` behind it or not. Another name, such as a later
    /// system may have, is left out and no fault.
    private mutating func color(_ value: AttributeValue) -> String? {
        let parts = (value.stringValue ?? "").split(separator: "/", omittingEmptySubsequences: false)
        guard let base = parts.first, parts.count <= 2, parts.count == 1 || Self.isShare(parts[1]) else {
            faults += 1
            return nil
        }
        if Self.isColor(base) { return value.stringValue }
        if base.isEmpty || !base.utf8.allSatisfy({ Character(UnicodeScalar($0)).isLetter }) { faults += 1 }
        return nil
    }

    private static func isColor(_ text: Substring) -> Bool {
        if ReplayNode.colors.contains(String(text)) { return true }
        let digits = text.utf8.dropFirst()
        return text.utf8.first == UInt8(ascii: "#") && digits.count == 6
            && digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }

    private static func isShare(_ text: Substring) -> Bool {
        text.utf8.count <= 3 && (UInt8(text).map { $0 <= 100 } ?? false)
    }
}
