import Astrolabe
import ViewTree

extension ScreenWireframe {
    /// What a person can act on.
    func control(_ node: RenderedNode) -> Wireframe.Node? {
        switch node.kind {
        case "button", "link": return button(node)
        case "textField", "secureField", "search":
            var field = Wireframe.Node(id: id(node), role: .field)
            field.hasContent = node.properties["text"]?.string?.isEmpty == false
            field.style.fontSize = node.properties["fontSize"]?.number
            if node.kind == "search" || node.properties["style"] == "roundedBorder" { field.style.radius = 10 }
            return field
        case "toggle":
            var toggle = group(node, role: .toggle, nodes(of: node.children))
            toggle.isOn = node.properties["on"]?.bool
            return toggle
        case "stepper": return group(node, role: .stepper, nodes(of: node.children))
        case "picker": return picker(node)
        case "progress":
            var progress = group(node, role: .progress, [])
            progress.fraction = node.properties["fraction"]?.number
            progress.style.ink = color(node, "tint")
            return progress
        default: return nil
        }
    }

    private func button(_ node: RenderedNode) -> Wireframe.Node {
        var button = group(node, role: .button, nodes(of: node.children))
        let tint = node.properties["tint"]?.string ?? "accent"
        switch node.properties["style"]?.string {
        case "borderedProminent": button.style.fill = Wireframe.Color(tint)
        case "bordered": button.style.fill = Wireframe.Color(tint + "/15")
        default: return button
        }
        button.style.radius = 10
        let isLarge = node.properties["size"] == "large"
        button.layout.padding = Wireframe.Insets(
            top: isLarge ? 14 : 7, leading: isLarge ? 20 : 12, bottom: isLarge ? 14 : 7, trailing: isLarge ? 20 : 12, )
        // What takes the width inside a button widens the button.
        button.layout.grows = button.children.contains { $0.layout.grows }
        return button
    }

    /// What is chosen is a person's input: that something is, is all that is told.
    private func picker(_ node: RenderedNode) -> Wireframe.Node {
        var children = nodes(of: node.children.filter { $0.kind != "choices" })
        if ["segmented", "inline"].contains(node.properties["style"]?.string) {
            children += nodes(of: node.children.filter { $0.kind == "choices" })
        } else {
            var choice = Wireframe.Node(id: id(node, slot: 1), role: .text, text: "chosen")
            choice.isPrivate = true
            children.append(choice)
        }
        return group(node, role: .picker, children)
    }

    /// What is drawn and holds no others.
    func leaf(_ node: RenderedNode) -> Wireframe.Node? {
        var leaf: Wireframe.Node
        switch node.kind {
        case "text":
            leaf = Wireframe.Node(id: id(node), role: .text, text: node.properties["text"]?.string)
            leaf.style.isBold = (node.properties["fontWeight"]?.number ?? 400) >= 600
            leaf.style.fontSize = node.properties["fontSize"]?.number
            leaf.style.ink = color(node, "color")
        case "image":
            let isIcon = node.properties["symbol"] != nil
            leaf = Wireframe.Node(id: id(node), role: isIcon ? .icon : .image)
            if isIcon {
                leaf.style.fontSize = node.properties["fontSize"]?.number
                leaf.style.ink = color(node, "color")
            }
        case "shape", "color":
            leaf = Wireframe.Node(id: id(node), role: .shape)
            leaf.style.fill = color(node, "fill")
            leaf.style.radius = node.properties["radius"]?.number
        case "spacer":
            leaf = Wireframe.Node(id: id(node), role: .space)
            leaf.layout.grows = true
        case "divider": leaf = Wireframe.Node(id: id(node), role: .line)
        default: return nil
        }
        return leaf
    }

    /// `nil` for what is no plain color.
    func color(_ node: RenderedNode, _ property: String) -> Wireframe.Color? {
        node.properties[property]?.string.flatMap(Wireframe.Color.init)
    }
}
