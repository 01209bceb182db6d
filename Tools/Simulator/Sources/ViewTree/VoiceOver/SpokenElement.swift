/// An element at which VoiceOver stops, or a container of such elements.
package struct SpokenElement: Codable, Hashable, Sendable {
    /// The id of the node on the screen.
    package var node: Int
    /// The part of the node, if it is not the whole: "back", "title", "increment", "decrement", or a choice's number.
    package var part: String?
    package var label: String
    package var value: String?
    /// The kind and the state of the element as VoiceOver reads them, such as "button" or "heading".
    package var traits: [String] = []
    package var hint: String?
    /// An action of the app. In a combined element it may be that of a node inside.
    package struct Action: Codable, Hashable, Sendable {
        package var node: Int
        package var name: String
    }

    /// The app's own actions, each with a name of its own.
    package var actions: [Action]?
    /// The elements in a container. An element that is read has none.
    package var children: [SpokenElement]?

    init(
        _ node: RenderedNode, part: String? = nil, label: String, value: String? = nil, traits: [String] = [],
    ) {
        self.node = node.id
        self.part = part
        self.label = node.text("label") ?? label
        self.value = node.text("value") ?? value
        hint = node.text("hint")
        self.traits = traits
        for trait in node.spokenTraits where !self.traits.contains(trait) { self.traits.append(trait) }
        if node.properties["adjustable"]?.bool == true, !self.traits.contains(Trait.adjustable) {
            self.traits.append(Trait.adjustable)
        }
        if node.properties["disabled"]?.bool == true { self.traits.append(Trait.dimmed) }
        actions = node.properties["accessibilityActions"]?.list?.compactMap(\.string)
            .map { Action(node: node.id, name: $0) }
    }

    /// The words of VoiceOver's traits.
    enum Trait {
        static let adjustable = "adjustable"
        static let button = "button"
        static let dimmed = "dimmed"
        static let heading = "heading"
        static let image = "image"
        static let link = "link"
        static let popUpButton = "pop-up button"
        static let searchField = "search field"
        static let secureTextField = "secure text field"
        static let selected = "selected"
        static let switchButton = "switch button"
        static let tab = "tab"
        static let textField = "text field"
    }

    /// Returns the element with the label, value, traits and hint of a wrapper, where that has some.
    func described(by wrapper: RenderedNode) -> SpokenElement {
        let outer = SpokenElement(wrapper, label: "")
        var element = self
        if !outer.label.isEmpty { element.label = outer.label }
        element.value = outer.value ?? value
        element.hint = outer.hint ?? hint
        for trait in outer.traits where !traits.contains(trait) { element.traits.append(trait) }
        element.add(actions: outer.actions)
        return element
    }

    mutating func add(actions more: [Action]?) {
        guard let more else { return }
        let known = Set((actions ?? []).map(\.name))
        actions = (actions ?? []) + more.filter { !known.contains($0.name) }
    }

    /// The text that VoiceOver reads: the label, the value, the traits and the hint. It says first that an element is
    /// selected, and at the end that it has actions.
    package var spoken: String {
        let isSelected = traits.contains(Trait.selected)
        let others = traits.filter { $0 != Trait.selected }
        let words = (isSelected ? [Trait.selected] : []) + [label, value ?? ""] + others
        return words.filter { !$0.isEmpty }.joined(separator: ", ") + (hint.map { ". \($0)" } ?? "")
            + (actions == nil ? "" : ". Actions available")
    }
}

extension RenderedNode {
    /// A property that is a text with at least one letter; `nil` for others.
    func text(_ name: String) -> String? {
        guard let text = properties[name]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// The traits that the app has added, in VoiceOver's words.
    fileprivate var spokenTraits: [String] {
        let names = (properties["traits"]?.list ?? []).compactMap(\.string)
        return names.compactMap { name in
            switch name {
            case "button": SpokenElement.Trait.button
            case "header": SpokenElement.Trait.heading
            case "image": SpokenElement.Trait.image
            case "link": SpokenElement.Trait.link
            case "selected": SpokenElement.Trait.selected
            default: nil
            }
        }
    }
}
