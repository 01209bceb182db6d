extension RenderedNode {
    /// True if the page is under another one. Covered pages stay in the tree but are not visible.
    package var isCovered: Bool { properties["covered"]?.bool == true }

    /// Calls `body` with the node and every visible node inside it, in depth-first order.
    package func forEach(_ body: (RenderedNode) -> Void) {
        guard !isCovered else { return }
        body(self)
        for child in children { child.forEach(body) }
    }

    /// Returns the first visible node for which `isWanted` holds.
    package func first(_ isWanted: (RenderedNode) -> Bool) -> RenderedNode? {
        guard !isCovered else { return nil }
        if isWanted(self) { return self }
        for child in children { if let match = child.first(isWanted) { return match } }
        return nil
    }

    package func all(_ isWanted: (RenderedNode) -> Bool) -> [RenderedNode] {
        var matches: [RenderedNode] = []
        forEach { if isWanted($0) { matches.append($0) } }
        return matches
    }

    /// Returns the node with this accessibility identifier.
    package func identified(by identifier: String) -> RenderedNode? {
        first { $0.properties["identifier"]?.string == identifier }
    }

    /// Every visible text inside, in order.
    package var texts: [String] {
        all { $0.kind == .text }.compactMap { $0.properties["text"]?.string }
    }

    /// The words that a person reads, in order: texts, the titles of pages and questions, and the contents of fields,
    /// without those that a swipe uncovers.
    package var words: [String] {
        guard !isCovered, kind != .swipeActions else { return [] }
        let own =
            switch kind {
            case .text, .textField, .textEditor, .search: properties["text"]?.string
            case .page, .alert, .dialog: properties["title"]?.string
            default: String?.none
            }
        return [own].compactMap(\.self) + children.flatMap(\.words)
    }

    /// A description with one indented line for each node.
    package var outline: String {
        func lines(_ node: RenderedNode, _ depth: Int) -> [String] {
            let properties = node.properties.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.plain)" }
            let actions = node.actions.isEmpty ? [] : ["[" + node.actions.map(\.rawValue).joined(separator: " ") + "]"]
            let line =
                String(repeating: "  ", count: depth)
                + ([node.kind.rawValue] + properties + actions).joined(separator: " ")
            return [line] + node.children.flatMap { lines($0, depth + 1) }
        }
        return lines(self, 0).joined(separator: "\n")
    }
}

extension RenderedNode {
    /// Returns the node that accepts `action` for an accessibility identifier.
    ///
    /// That is the identified node, the first node inside it, or else the nearest around it that accepts the
    /// action.
    package func target(of action: ViewAction, _ identifier: String) -> RenderedNode? {
        var inside: RenderedNode?
        var around: RenderedNode?
        for node in all({ $0.properties["identifier"]?.string == identifier }) {
            if let match = node.first({ $0.actions.contains(action) }) {
                inside = inside ?? match
            } else {
                around = around ?? nearest(around: node) { $0.actions.contains(action) }
            }
        }
        return inside ?? around
    }

    /// Returns the innermost node around `node` for which `isWanted` holds.
    func nearest(around node: RenderedNode, _ isWanted: (RenderedNode) -> Bool) -> RenderedNode? {
        guard self !== node, first({ $0 === node }) != nil else { return nil }
        for child in children {
            if let match = child.nearest(around: node, isWanted) { return match }
        }
        return isWanted(self) ? self : nil
    }

    /// The choices of a picker, or the tabs of a bar.
    var choices: [RenderedNode]? { kind == .tabBar ? children : children.first { $0.kind == .choices }?.children }

    /// Returns the index of a picker's choice with this text, or of a tab.
    package func choice(titled title: String) -> Int? { choices?.firstIndex { $0.texts.contains(title) } }
}

extension NodeValue {
    fileprivate var plain: String {
        switch self {
        case .string(let string): "\"\(string)\""
        case .number(let number): number == number.rounded() ? String(Int(number)) : String(number)
        case .bool(let bool): String(bool)
        case .list(let list): "[" + list.map(\.plain).joined(separator: ", ") + "]"
        }
    }
}

extension RenderedTree {
    package func contains(text: String) -> Bool { root.texts.contains { $0.contains(text) } }
    package func contains(_ identifier: String) -> Bool { root.identified(by: identifier) != nil }
}
