// The way back: from controls to names.

extension RenderedTree {
    /// Returns a name with which ``event(_:on:text:)`` does the same as the event; `nil` if there is none. The value
    /// of an event is that of the step, except for a tab.
    package func name(of event: ViewEvent) -> ControlName? {
        let path = root.path(to: event.node)
        guard let node = path.last else { return nil }
        if node.kind == .tabBar {
            guard let tab = event.value?.number.flatMap({ Int(exactly: $0) }), node.children.indices.contains(tab)
            else {
                return nil
            }
            return name(of: node.children[tab], at: path, .change) { self.event(.tap, on: $0) == event }
        }
        let text = event.value?.string ?? event.value?.number.map { String($0) } ?? ""
        return name(of: node, at: path, event.action) { name in
            let found = self.event(event.action, on: name, text: text)
            return found?.node == event.node && found?.action == event.action
        }
    }

    /// Returns a name and the title with which ``choose(_:in:)`` gives this event; `nil` if there is none.
    package func choice(of event: ViewEvent) -> (title: String, control: ControlName)? {
        let path = root.path(to: event.node)
        guard let picker = path.last, let number = event.value?.number.flatMap({ Int(exactly: $0) }),
            let choices = picker.choices, choices.indices.contains(number)
        else { return nil }
        for title in choices[number].texts {
            let name = self.name(of: picker, at: path, .change) { choose(title, in: $0) == event }
            if let name { return (title, name) }
        }
        return nil
    }

    /// Returns the row, and the title of the swipe action that the event is; `nil` if it is none.
    package func swipe(of event: ViewEvent) -> (row: String, title: String)? {
        let path = root.path(to: event.node)
        guard event.action == .tap, path.contains(where: { $0.kind == .swipeActions }),
            let row = path.last(where: { $0.kind == .row }), let button = path.last
        else { return nil }
        let words = VoiceOverOrder.SystemWords(root)
        for anchor in row.anchors {
            for title in button.names(words) where swipe(title, row: anchor) == event { return (anchor, title) }
        }
        return nil
    }

    /// The identifiers and words that name controls in front, without repetitions.
    package var controlNames: [String] {
        let words = VoiceOverOrder.SystemWords(root)
        var names: [String] = []
        func add(_ name: String) { if !names.contains(name) { names.append(name) } }
        root.front.forEach { node in
            if let identifier = node.text("identifier") { add(identifier) }
            guard !node.actions.isEmpty || node.kind == .tab, !node.kind.isPlace else { return }
            node.names(words).forEach(add)
        }
        return names
    }

    /// Returns the first name of a node that is right.
    ///
    /// It tries the identifier, that of a wrapper, the words, and the identifier of a place in which the node is alone.
    /// Then it tries these with something beside the node.
    private func name(
        of node: RenderedNode, at path: [RenderedNode], _ action: ViewAction, if isRight: (ControlName) -> Bool,
    ) -> ControlName? {
        let own = node.all { $0.text("identifier") != nil }.compactMap { $0.text("identifier") }
        let others = path.dropLast().reversed()
        let wrappers = others.prefix { $0.children.count == 1 }.compactMap { $0.text("identifier") }
        let called = node.names(VoiceOverOrder.SystemWords(root))
        let around = others.prefix { $0.all { $0.actions.contains(action) }.count == 1 }
            .compactMap { $0.text("identifier") }
        let names = own + wrappers + called + around
        if let name = names.first(where: { isRight(ControlName($0)) }) { return ControlName(name) }
        for place in path.dropLast().suffix(Self.levels).reversed() {
            for anchor in place.anchors {
                for name in own + called where isRight(ControlName(name, near: anchor)) {
                    return ControlName(name, near: anchor)
                }
            }
        }
        return nil
    }

    /// The number of views around a control in which something beside it is looked for.
    private static let levels = 8
}

extension NodeKind {
    /// True for what accepts an action but is not called by its words.
    fileprivate var isPlace: Bool { [.page, .sheet, .list, .form, .scroll, .tabBar, .dialog].contains(self) }
}

extension RenderedNode {
    /// The nodes from this one to that of the id; empty if it is not inside.
    fileprivate func path(to id: Int) -> [RenderedNode] {
        if self.id == id { return [self] }
        for child in children {
            let path = child.path(to: id)
            if !path.isEmpty { return [self] + path }
        }
        return []
    }

    /// The first identifiers and texts inside, by which a person tells the place from others.
    fileprivate var anchors: [String] {
        let names = all { _ in true }.flatMap { node in
            [node.text("identifier"), node.kind == .text ? node.text("text") : nil].compactMap(\.self)
        }
        return Array(names.prefix(12))
    }
}
