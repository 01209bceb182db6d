import ViewTree

/// The elements that VoiceOver reads on a screen, for the page.
struct SpokenScreen: Encodable {
    struct Element: Encodable {
        var node: Int
        var part: String?
        var label: String
        var value: String?
        var traits: [String]
        var hint: String?
        /// The app's own actions, each with the node that performs it.
        var actions: [SpokenElement.Action]?
        /// The whole sentence.
        var spoken: String
        var children: [Element]?

        init(_ element: SpokenElement) {
            node = element.node
            part = element.part
            label = element.label
            value = element.value
            traits = element.traits
            hint = element.hint
            actions = element.actions
            spoken = element.spoken
            children = element.children?.map(Element.init)
        }
    }

    /// The revision of the screen.
    var revision: Int
    var elements: [Element]

    init(_ tree: RenderedTree) {
        revision = tree.revision
        elements = VoiceOverOrder(tree).elements.map(Element.init)
    }
}
