/// The elements of a screen in the order in which VoiceOver reads them.
///
/// VoiceOver on a phone goes by the place of the elements on the screen. Here it goes by the order of the views, with
/// the bar of a page before its content and the tab bar at the end. A sheet, an alert, a dialog or an open menu hides
/// what is behind it.
package struct VoiceOverOrder: Sendable {
    package let elements: [SpokenElement]

    package init(_ tree: RenderedTree) {
        let modal = tree.root.all { [.sheet, .alert, .dialog].contains($0.kind) }.last
        let root = modal ?? tree.root
        let words = SystemWords(tree.root)
        let openMenu = root.first { $0.kind == .menu && $0.properties["open"]?.bool == true }
        if let openMenu {
            elements = openMenu.children.filter { $0.kind == .choices }.flatMap { Self.list($0.children, words) }
        } else {
            elements = Self.elements(of: root, words)
        }
    }

    /// The words that the phone itself says, in the language of the app.
    struct SystemWords {
        private let words: [String: String]

        init(_ root: RenderedNode) {
            let pairs = (root.properties["systemWords"]?.list ?? []).compactMap { pair -> (String, String)? in
                guard let parts = pair.list, parts.count == 2, let name = parts[0].string else { return nil }
                return (name, parts[1].string ?? name)
            }
            words = Dictionary(pairs) { first, _ in first }
        }

        func word(_ name: String) -> String { words[name] ?? name.prefix(1).uppercased() + name.dropFirst() }
    }

    static func list(_ nodes: [RenderedNode], _ words: SystemWords) -> [SpokenElement] {
        nodes.flatMap { elements(of: $0, words) }
    }

    static func elements(of node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        guard !node.isCovered, node.properties["accessibilityHidden"]?.bool != true else { return [] }
        switch node.properties["accessibilityChildren"]?.string {
        case "ignore":
            let element = SpokenElement(node, label: "", traits: actionTraits(of: node))
            return element.label.isEmpty && element.value == nil ? [] : [element]
        case "combine": return combined(node, list(node.children, words))
        case "contain": return contained(node, content(of: node, words))
        default:
            let inside = content(of: node, words)
            if inside.contains(where: { $0.node == node.id }) { return inside }
            // What is said of a wrapper is said of the one element inside, and a label of several names their group.
            if inside.count == 1 { return [inside[0].described(by: node)] }
            return node.text("label") == nil ? inside : contained(node, inside)
        }
    }

    private static func contained(_ node: RenderedNode, _ inside: [SpokenElement]) -> [SpokenElement] {
        guard !inside.isEmpty else { return [] }
        var container = SpokenElement(node, label: "")
        container.children = inside
        return [container]
    }

    /// One element with the words of all.
    static func combined(_ node: RenderedNode, _ inside: [SpokenElement]) -> [SpokenElement] {
        let all = flat(inside)
        let words = all.flatMap { [$0.label, $0.value ?? ""] }.filter { !$0.isEmpty }
        var traits = actionTraits(of: node)
        for trait in all.flatMap(\.traits) where !traits.contains(trait) { traits.append(trait) }
        var element = SpokenElement(node, label: words.joined(separator: ", "), traits: traits)
        element.hint = element.hint ?? all.compactMap(\.hint).first
        for inner in all { element.add(actions: inner.actions) }
        return element.label.isEmpty ? [] : [element]
    }

    static func flat(_ elements: [SpokenElement]) -> [SpokenElement] {
        elements.flatMap { $0.children.map(flat) ?? [$0] }
    }

    private static func actionTraits(of node: RenderedNode) -> [String] {
        switch node.kind {
        case .button, .link, .tapArea: [SpokenElement.Trait.button]
        default: []
        }
    }

    /// The elements of a node by its kind.
    private static func content(of node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        switch node.kind {
        case .hidden, .placeholder, .spacer, .divider, .shape, .color, .swipeActions:
            node.text("label").map { _ in [SpokenElement(node, label: "")] } ?? []
        case .opacity where (node.properties["opacity"]?.number ?? 1) < 0.01: []
        case .text: text(node)
        case .image: image(node)
        case .label: label(node, words)
        case .header: list(node.children, words).map(asHeading)
        case .page: page(node, words)
        case .alert, .dialog: question(node, words)
        case .button, .link, .tapArea: button(node, words)
        case .textField, .secureField, .textEditor: field(node)
        case .search: field(node) + list(node.children, words)
        case .toggle: toggle(node, words)
        case .stepper: stepper(node, words)
        case .slider:
            [SpokenElement(node, label: "", value: percentage(of: node), traits: [SpokenElement.Trait.adjustable])]
        case .picker: picker(node, words)
        case .datePicker: control(node, value: node.text("date"), traits: [SpokenElement.Trait.button], words)
        case .colorPicker: control(node, value: node.text("color"), traits: [SpokenElement.Trait.button], words)
        case .menu: menu(node, words)
        case .progress: progress(node, words)
        case .tabs:
            list(node.children.filter { $0.kind != .tabBar } + node.children.filter { $0.kind == .tabBar }, words)
        case .tabBar: tabs(node, words)
        case .row: row(node, words)
        // Containers and modifiers.
        default: list(node.children, words)
        }
    }
}
