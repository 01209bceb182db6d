import Foundation

extension VoiceOverOrder {
    static func text(_ node: RenderedNode) -> [SpokenElement] {
        let hasLink = (node.properties["runs"]?.list ?? []).contains { run in
            (run.list?.last?.list ?? []).contains { $0.list?.first?.string == "link" }
        }
        let words = node.properties["text"]?.string ?? ""
        let element = SpokenElement(node, label: words, traits: hasLink ? [SpokenElement.Trait.link] : [])
        return element.label.isEmpty ? [] : [element]
    }

    /// An image without a label is read by the name of its symbol or asset. One from the network has no name.
    static func image(_ node: RenderedNode) -> [SpokenElement] {
        let name = (node.text("symbol") ?? node.text("asset") ?? "")
            .map { $0 == "." || $0 == "-" || $0 == "_" ? " " : $0 }
        let element = SpokenElement(node, label: String(name), traits: [SpokenElement.Trait.image])
        return element.label.isEmpty ? [] : [element]
    }

    /// A label with a title and an icon is read by its title.
    static func label(_ node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        let inside = flat(list(node.children, words))
        let titles = inside.filter { !$0.traits.contains(SpokenElement.Trait.image) }.map(\.label)
        let shown = titles.isEmpty ? inside.map(\.label) : titles
        let element = SpokenElement(node, label: shown.joined(separator: ", "))
        return element.label.isEmpty ? [] : [element]
    }

    static func asHeading(_ element: SpokenElement) -> SpokenElement {
        var heading = element
        if let inside = element.children {
            heading.children = inside.map(asHeading)
        } else if !heading.traits.contains(SpokenElement.Trait.heading) {
            heading.traits.append(SpokenElement.Trait.heading)
        }
        return heading
    }

    /// The bar with the way back, the title and the items, the content, and the bar below.
    static func page(_ node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        let items = node.children.filter { $0.kind == .toolbarItem }
        func placed(_ places: Set<String>) -> [SpokenElement] {
            list(items.filter { places.contains($0.text("placement") ?? "trailing") }, words)
        }
        var elements: [SpokenElement] = []
        if node.actions.contains(.back) {
            var back = SpokenElement(node, part: "back", label: "", traits: [SpokenElement.Trait.button])
            back.label = words.word("back")
            elements.append(back)
        }
        elements += placed(["leading"])
        if let title = node.text("title"), node.properties["barHidden"]?.bool != true {
            var heading = SpokenElement(node, part: "title", label: "", traits: [SpokenElement.Trait.heading])
            heading.label = [title, node.text("subtitle")].compactMap(\.self).joined(separator: ", ")
            elements.append(heading)
        }
        elements += placed(["principal", "trailing"])
        elements += list(node.children.filter { $0.kind == .search }, words)
        elements += list(node.children.filter { $0.kind != .toolbarItem && $0.kind != .search }, words)
        return elements + placed(["bottom", "keyboard"])
    }

    static func question(_ node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        var elements: [SpokenElement] = []
        if let title = node.text("title"), node.properties["titleHidden"]?.bool != true {
            elements.append(
                SpokenElement(node, part: "title", label: title, traits: [SpokenElement.Trait.heading]))
        }
        return elements + list(node.children, words)
    }

    /// A control with the words inside it as its label.
    static func control(
        _ node: RenderedNode, value: String? = nil, traits: [String], _ words: SystemWords,
    ) -> [SpokenElement] {
        let inside = flat(list(node.children.filter { ![.choices, .message].contains($0.kind) }, words))
        let label = inside.flatMap { [$0.label, $0.value ?? ""] }.filter { !$0.isEmpty }.joined(separator: ", ")
        return [SpokenElement(node, label: label, value: value, traits: traits)]
    }

    static func button(_ node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        control(node, traits: [SpokenElement.Trait.button], words).map { element in
            // What opens a page is a button. A link to the web is a button with the trait of a link.
            guard element.traits.contains(SpokenElement.Trait.link) else { return element }
            var link = element
            link.traits.removeAll { $0 == SpokenElement.Trait.button }
            return link
        }
    }

    static func field(_ node: RenderedNode) -> [SpokenElement] {
        let trait =
            switch node.kind {
            case .secureField: SpokenElement.Trait.secureTextField
            case .search: SpokenElement.Trait.searchField
            default: SpokenElement.Trait.textField
            }
        let placeholder = node.text("placeholder")
        let text = node.text("text")
        return [SpokenElement(node, label: placeholder ?? "", value: text, traits: [trait])]
    }

    static func toggle(_ node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        let isOn = node.properties["on"]?.bool == true
        return control(node, value: isOn ? "on" : "off", traits: [SpokenElement.Trait.switchButton], words)
    }

    /// Two buttons, each with the label of the stepper.
    static func stepper(_ node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        let title = control(node, traits: [], words)[0]
        let actions: [ViewAction] = [.decrement, .increment]
        return actions.map { action in
            var button = title
            button.part = action.rawValue
            button.traits.insert(SpokenElement.Trait.button, at: 0)
            if !node.actions.contains(action), !button.traits.contains(SpokenElement.Trait.dimmed) {
                button.traits.append(SpokenElement.Trait.dimmed)
            }
            button.label = [title.label, words.word(action.rawValue)].filter { !$0.isEmpty }.joined(separator: ", ")
            return button
        }
    }

    static func percentage(of node: RenderedNode) -> String? {
        guard let number = node.properties["number"]?.number, let minimum = node.properties["minimum"]?.number,
            let maximum = node.properties["maximum"]?.number, maximum > minimum
        else { return nil }
        return percent((number - minimum) / (maximum - minimum))
    }

    private static func percent(_ fraction: Double) -> String { "\(Int((fraction * 100).rounded()))%" }

    static func progress(_ node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        let own = node.children.first { $0.kind == .footer }?.texts.joined(separator: " ")
        let value = own ?? node.properties["fraction"]?.number.map(percent) ?? "in progress"
        let title = flat(list(node.children.filter { $0.kind != .footer }, words)).map(\.label)
        return [SpokenElement(node, label: title.joined(separator: ", "), value: value)]
    }

    static func picker(_ node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        let choices = node.children.first { $0.kind == .choices }?.children ?? []
        let titles = choices.map { flat(list([$0], words)).map(\.label).joined(separator: ", ") }
        let selected = node.properties["selected"]?.number.flatMap { Int(exactly: $0) }
        let own = node.children.first { $0.kind == .message }?.texts.joined(separator: " ")
        let chosen = own ?? selected.flatMap { titles.indices.contains($0) ? titles[$0] : nil }
        switch node.text("style") {
        case "segmented", "inline":
            return titles.enumerated().map { index, title in
                var choice = SpokenElement(node, part: String(index), label: "", traits: [SpokenElement.Trait.button])
                choice.label = title
                if index == selected { choice.traits.append(SpokenElement.Trait.selected) }
                if node.text("style") == "segmented" { choice.traits.append("\(index + 1) of \(titles.count)") }
                return choice
            }
        case "wheel": return control(node, value: chosen, traits: [SpokenElement.Trait.adjustable], words)
        default: return control(node, value: chosen, traits: [SpokenElement.Trait.popUpButton], words)
        }
    }

    static func menu(_ node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        control(node, traits: [SpokenElement.Trait.popUpButton], words)
    }

    static func tabs(_ node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        let tabs = node.children.filter { $0.kind == .tab }
        return tabs.enumerated().map { index, tab in
            var element = control(tab, value: tab.text("badge"), traits: [SpokenElement.Trait.tab], words)[0]
            if tab.properties["selected"]?.bool == true { element.traits.append(SpokenElement.Trait.selected) }
            element.traits.append("\(index + 1) of \(tabs.count)")
            return element
        }
    }

    /// The badge of a row is the value of its last element.
    static func row(_ node: RenderedNode, _ words: SystemWords) -> [SpokenElement] {
        var elements = list(node.children, words)
        guard let badge = node.text("badge"), let last = elements.indices.last else { return elements }
        elements[last].value = [elements[last].value, badge].compactMap(\.self).joined(separator: ", ")
        return elements
    }
}
