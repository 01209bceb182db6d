import AstrolabeTelemetryModel
import ConsoleModel

/// Parses nodes from untrusted input.
///
/// Values of a wrong type are left out. Numbers and lists beyond their limits are clamped. Each correction is counted,
/// so that the player can report an invalid frame.
struct ReplayNodeReader {
    private(set) var faults = 0
    /// The number of children that the frame's nodes may still name. A tree of `ReplayFrame.nodeLimit` nodes has no
    /// more.
    private var childrenLeft = 2 * ReplayFrame.nodeLimit

    /// Parses a node; `nil` if the value is not a map with an id and a role.
    mutating func node(_ value: AttributeValue) -> ReplayNode? {
        guard let members = value.members, let id = id(members["id"]), let role = members["role"]?.stringValue else {
            faults += 1
            return nil
        }
        var node = ReplayNode(id: id, role: ReplayNode.roles.contains(role) ? role : "group")
        for member in members { read(member.key, member.value, into: &node) }
        // A field never shows its content, and a mask takes precedence over text.
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

    /// Parses an id that JavaScript represents exactly.
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
        // Counted in code points, because one character may have any number of them.
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

    /// Parses a list of four lengths.
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

    /// Parses a color: a known name or `#rrggbb`, optionally followed by `/0` to `/100`.
    ///
    /// Unknown names, which later systems may send, are left out and are not counted as faults.
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
