import Astrolabe
import AstrolabeSessionReplay
import ViewTree

extension ScreenWireframe {
    /// Draws a field. Its text is left out; only whether it has any is kept.
    func field(_ node: RenderedNode, isRounded: Bool) -> Wireframe.Node {
        var field = Wireframe.Node(id: id(node), role: .field)
        field.hasContent = node.properties["text"]?.string?.isEmpty == false
        field.style.fontSize = node.properties["fontSize"]?.number
        if isRounded { field.style.radius = 10 }
        return field
    }

    func toggle(_ node: RenderedNode) -> Wireframe.Node {
        var toggle = box(node, role: .toggle)
        toggle.isOn = node.properties["on"]?.bool
        return toggle
    }

    func progress(_ node: RenderedNode) -> Wireframe.Node {
        var progress = group(node, role: .progress, [])
        progress.fraction = node.properties["fraction"]?.number
        progress.style.ink = color(node, "tint")
        return progress
    }

    func button(_ node: RenderedNode) -> Wireframe.Node {
        var button = group(node, role: .button, nodes(of: node.children))
        let tint = node.properties["tint"]?.string ?? "accent"
        switch node.properties["style"]?.string {
        case "borderedProminent", "glassProminent": button.style.fill = Wireframe.Color(tint)
        case "bordered", "glass": button.style.fill = Wireframe.Color(tint + "/15")
        default: return button
        }
        button.style.radius = 10
        let isLarge = node.properties["size"] == "large"
        button.layout.padding = Wireframe.Insets(
            top: isLarge ? 14 : 7, leading: isLarge ? 20 : 12, bottom: isLarge ? 14 : 7, trailing: isLarge ? 20 : 12)
        // A button grows if its content does.
        button.layout.grows = button.children.contains { $0.layout.grows }
        return button
    }

    /// Draws a picker. The selected choice is user input: a menu shows only that there is one.
    func picker(_ node: RenderedNode) -> Wireframe.Node {
        let hidesLabel = node.properties["labelHidden"]?.bool == true
        var children = hidesLabel ? [] : nodes(of: node.children.filter { ![.choices, .message].contains($0.kind) })
        if ["segmented", "inline"].contains(node.properties["style"]?.string) {
            children += nodes(of: node.children.filter { $0.kind == .choices })
        } else {
            var choice = Wireframe.Node(id: id(node, slot: 1), role: .text, text: "chosen")
            choice.isPrivate = true
            children.append(choice)
        }
        return group(node, role: .picker, children)
    }

    func text(_ node: RenderedNode) -> Wireframe.Node {
        var text = Wireframe.Node(id: id(node), role: .text, text: node.properties["text"]?.string)
        text.style.isBold = (node.properties["fontWeight"]?.number ?? 400) >= 600
        text.style.fontSize = node.properties["fontSize"]?.number
        text.style.ink = color(node, "color")
        return text
    }

    func image(_ node: RenderedNode) -> Wireframe.Node {
        guard node.properties["symbol"] != nil else { return Wireframe.Node(id: id(node), role: .image) }
        var icon = Wireframe.Node(id: id(node), role: .icon)
        icon.style.fontSize = node.properties["fontSize"]?.number
        icon.style.ink = color(node, "color")
        return icon
    }

    func shape(_ node: RenderedNode) -> Wireframe.Node {
        var shape = Wireframe.Node(id: id(node), role: .shape)
        shape.style.fill = color(node, "fill")
        shape.style.radius = node.properties["radius"]?.number
        return shape
    }

    func spacer(_ node: RenderedNode) -> Wireframe.Node {
        var spacer = Wireframe.Node(id: id(node), role: .space)
        spacer.layout.grows = true
        return spacer
    }

    /// The color of a property; `nil` if the property is missing or is not a plain color.
    func color(_ node: RenderedNode, _ property: String) -> Wireframe.Color? {
        node.properties[property]?.string.flatMap(Wireframe.Color.init)
    }
}
