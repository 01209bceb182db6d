/// The name of a control, as a scenario writes it.
package struct ControlName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The accessibility identifier, or the words of the control.
    package var name: String
    /// The identifier or the text of something beside it. The control is in the smallest view that contains both.
    package var near: String?

    package init(_ name: String, near: String? = nil) {
        self.name = name
        self.near = near
    }

    package init(stringLiteral value: String) { self.init(value) }
}

extension ControlName: CustomStringConvertible {
    package var description: String { "\"\(name)\"" + (near.map { " beside \"\($0)\"" } ?? "") }
}

extension RenderedTree {
    /// Returns the event that does the action to a control; `nil` if no visible control of the name accepts it.
    ///
    /// A name is an identifier, or else what the control is called: its label as VoiceOver reads it, or one of its
    /// texts. Words name only what is in front: an open menu, an alert or a sheet hides what is behind it. A tap on
    /// a tab is a change of its bar.
    ///
    /// - Parameter text: The new value of a field, or the offset to which a row moves.
    package func event(_ action: ViewAction, on control: ControlName, text: String? = nil) -> ViewEvent? {
        let words = VoiceOverOrder.SystemWords(root)
        return resolve(control) { scope, name in
            scope.event(action, identifier: name, text) ?? scope.event(action, called: name, text, words)
        } behind: { root in
            root.event(action, identifier: control.name, text)
        }
    }

    /// Returns the event that selects a choice of a picker, or a tab of a tab view.
    package func choose(_ title: String, in control: ControlName) -> ViewEvent? {
        let words = VoiceOverOrder.SystemWords(root)
        return resolve(control) { scope, name in
            let picker = scope.picker(identifier: name, with: title) ?? scope.picker(called: name, with: title, words)
            return picker?.choosing(title)
        } behind: { root in
            root.picker(identifier: control.name, with: title)?.choosing(title)
        }
    }

    /// Returns the event of a swipe action of the row that contains `name`; the first action without a title.
    package func swipe(_ title: String?, row name: String) -> ViewEvent? {
        let words = VoiceOverOrder.SystemWords(root)
        let row = root.front.innermost { row in
            row.kind == .row && row.children.contains { $0.kind == .swipeActions }
                && row.children.contains { $0.kind != .swipeActions && $0.isNear(name) }
        }
        let buttons = row?.children.filter { $0.kind == .swipeActions }.flatMap { actions in
            actions.all { $0.actions.contains(.tap) }
        }
        let button = buttons?.first { button in title.map { button.names(words).contains($0) } ?? true }
        return button.map { ViewEvent(node: $0.id, action: .tap) }
    }

    private func resolve(
        _ control: ControlName, in scope: (RenderedNode, String) -> ViewEvent?,
        behind: (RenderedNode) -> ViewEvent?,
    ) -> ViewEvent? {
        guard let near = control.near else { return scope(root.front, control.name) ?? behind(root) }
        return root.front.around(near) { scope($0, control.name) }
    }
}

extension RenderedNode {
    /// The view in front: the choices of an open menu, or else the topmost alert, dialog or sheet, or else the node.
    var front: RenderedNode {
        let modal = all { [.sheet, .alert, .dialog].contains($0.kind) }.last ?? self
        let menu = modal.first { [.menu, .contextMenu].contains($0.kind) && $0.properties["open"]?.bool == true }
        return menu?.children.first { $0.kind == .choices } ?? modal
    }

    /// The words by which a person can call the control, without those of its choices.
    func names(_ words: VoiceOverOrder.SystemWords) -> [String] {
        var names: [String] = []
        func collect(_ node: RenderedNode) {
            guard !node.isCovered, node.kind != .choices, node.kind != .swipeActions else { return }
            let keys = node.kind == .text ? ["label", "text"] : ["label", "placeholder"]
            names += keys.compactMap { node.text($0) }
            for child in node.children { collect(child) }
        }
        collect(self)
        if kind != .picker {
            names += VoiceOverOrder.flat(VoiceOverOrder.elements(of: self, words)).map(\.label).filter { !$0.isEmpty }
        }
        return names
    }

    /// Returns the first visible node without a match inside it. What a swipe uncovers does not count.
    func innermost(_ isWanted: (RenderedNode) -> Bool) -> RenderedNode? {
        guard !isCovered, kind != .swipeActions else { return nil }
        for child in children { if let match = child.innermost(isWanted) { return match } }
        return isWanted(self) ? self : nil
    }

    /// Returns true if the identifier or the text is on the node or inside it.
    func isNear(_ name: String) -> Bool {
        first { node in
            ["identifier", "label", "title"].contains { node.properties[$0]?.string == name }
                || node.kind == .text && node.text("text") == name
        } != nil
    }

    /// Returns the result of the smallest node with `name` inside it that has one.
    fileprivate func around(_ name: String, _ find: (RenderedNode) -> ViewEvent?) -> ViewEvent? {
        guard !isCovered, kind != .swipeActions, isNear(name) else { return nil }
        for child in children { if let event = child.around(name, find) { return event } }
        return find(self)
    }

    fileprivate func event(_ action: ViewAction, identifier: String, _ text: String?) -> ViewEvent? {
        let tab = action == .tap ? tab { $0.identified(by: identifier) != nil } : nil
        return tab ?? target(of: action, identifier)?.accepting(action, text)
    }

    fileprivate func event(
        _ action: ViewAction, called name: String, _ text: String?, _ words: VoiceOverOrder.SystemWords,
    ) -> ViewEvent? {
        let control = innermost { $0.actions.contains(action) && $0.names(words).contains(name) }
        if let event = control?.accepting(action, text) { return event }
        return action == .tap ? tab { $0.names(words).contains(name) } : nil
    }

    /// Returns the event that selects the first tab that is wanted.
    private func tab(_ isWanted: (RenderedNode) -> Bool) -> ViewEvent? {
        for bar in all({ $0.kind == .tabBar }) {
            guard let number = bar.children.firstIndex(where: isWanted) else { continue }
            return ViewEvent(node: bar.id, action: .change, value: .number(Double(number)))
        }
        return nil
    }

    /// The event with a value of the type that the control takes; `nil` if it needs one that the text is not.
    private func accepting(_ action: ViewAction, _ text: String?) -> ViewEvent? {
        guard action == .change || action == .move else { return ViewEvent(node: id, action: action) }
        guard let text else { return nil }
        guard kind == .slider else { return ViewEvent(node: id, action: action, value: .string(text)) }
        return Double(text).map { ViewEvent(node: id, action: action, value: .number($0)) }
    }

    fileprivate func picker(identifier: String, with title: String) -> RenderedNode? {
        let isWanted = { (node: RenderedNode) in node.offers(title) }
        for node in all({ $0.properties["identifier"]?.string == identifier }) {
            if let picker = node.first(isWanted) ?? nearest(around: node, isWanted) { return picker }
        }
        return nil
    }

    fileprivate func picker(
        called name: String, with title: String, _ words: VoiceOverOrder.SystemWords,
    ) -> RenderedNode? {
        innermost { $0.offers(title) && $0.names(words).contains(name) }
    }

    private func offers(_ title: String) -> Bool { actions.contains(.change) && choice(titled: title) != nil }

    fileprivate func choosing(_ title: String) -> ViewEvent? {
        choice(titled: title).map { ViewEvent(node: id, action: .change, value: .number(Double($0))) }
    }
}
