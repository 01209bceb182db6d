import Astrolabe
import ViewTree

/// Makes a wireframe of what the stand-in for SwiftUI shows: `Docs/Guide/SwiftUI.md` has the kinds of its nodes.
///
/// Covered pages and hidden views are left out. What only surrounds a view (padding, frames, backgrounds) is said of
/// the view itself where that looks the same, so that a list of products is a small tree. Of a field it is only told
/// whether it holds something, and of a menu not what is chosen; accessibility labels, values and the names of pictures
/// are not read at all.
struct ScreenWireframe {
    /// Points; the standard phone's.
    private static let size = (width: 393, height: 852)

    func wireframe(of tree: RenderedTree) -> Wireframe {
        var root = Wireframe.Node(id: id(tree.root), role: .screen, children: nodes(of: tree.root.children))
        let isDark = tree.root.properties["colorScheme"]?.string == "dark"
        root.style.fill = Wireframe.Color(isDark ? "#000000" : "#ffffff")
        return Wireframe(width: Self.size.width, height: Self.size.height, root: root)
    }

    /// A node of the screen may become several of the wireframe, each with a slot of its own.
    func id(_ node: RenderedNode, slot: Int = 0) -> Int { node.id << 3 | slot }

    func nodes(of all: [RenderedNode]) -> [Wireframe.Node] { all.compactMap(node) }

    /// `nil` for what cannot be seen.
    func node(_ node: RenderedNode) -> Wireframe.Node? {
        guard !node.isCovered else { return nil }
        guard var result = container(node) ?? control(node) ?? leaf(node) ?? wrapper(node) else { return nil }
        if node.properties["private"]?.bool == true { result.isPrivate = true }
        if node.properties["disabled"]?.bool == true { result.isDimmed = true }
        guard let name = node.properties["identifier"]?.string else { return result }
        if let inner = result.name, inner != name {
            result = group(node, [result])
        }
        result.name = name
        return result
    }

    func group(
        _ node: RenderedNode, role: Wireframe.Role = .group, _ children: [Wireframe.Node],
    ) -> Wireframe.Node {
        Wireframe.Node(id: id(node), role: role, children: children)
    }

    /// What arranges others.
    private func container(_ node: RenderedNode) -> Wireframe.Node? {
        let properties = node.properties
        let children = { nodes(of: node.children) }
        var result: Wireframe.Node
        switch node.kind {
        case "vstack", "hstack":
            result = group(node, role: node.kind == "vstack" ? .column : .row, children())
            result.layout.alignment = properties["alignment"]?.string.flatMap(Wireframe.Alignment.init)
        case "zstack":
            result = group(node, role: .layer, children())
            result.layout.alignment = Wireframe.Alignment(
                horizontal: properties["horizontal"]?.string, vertical: properties["vertical"]?.string, )
        case "grid":
            result = group(node, role: .grid, children())
            result.layout.columns = properties["columns"]?.list?.count
        case "scroll": return group(node, role: .scroll, children())
        case "list", "form": return group(node, role: .list, children())
        case "section": return group(node, role: .section, children())
        case "row": return cell(node)
        case "sheet": return group(node, role: .sheet, children())
        case "alert", "dialog": return dialog(node)
        case "page": return page(node)
        case "tabBar": return group(node, role: .bar, children())
        case "tab": return group(node, role: .button, [group(node, slot: 1, role: .column, children())])
        default: return nil
        }
        result.layout.spacing = properties["spacing"]?.number
        return result
    }

    private func group(
        _ node: RenderedNode, slot: Int, role: Wireframe.Role, _ children: [Wireframe.Node],
    ) -> Wireframe.Node {
        Wireframe.Node(id: id(node, slot: slot), role: role, children: children)
    }

    /// A row that leads elsewhere is one cell with the link's name.
    private func cell(_ node: RenderedNode) -> Wireframe.Node {
        let shown = node.children.filter { $0.kind != "swipeActions" }
        guard shown.count == 1, shown[0].kind == "link", shown[0].properties["style"] == "row" else {
            return group(node, role: .cell, nodes(of: shown))
        }
        var cell = group(node, role: .cell, nodes(of: shown[0].children))
        cell.name = shown[0].properties["identifier"]?.string
        cell.isDimmed = shown[0].properties["disabled"]?.bool == true
        cell.isPrivate = shown[0].properties["private"]?.bool == true
        return cell
    }

    private func dialog(_ node: RenderedNode) -> Wireframe.Node {
        var children = nodes(of: node.children)
        if node.properties["titleHidden"]?.bool != true, let title = title(of: node, size: 17) {
            children.insert(title, at: 0)
        }
        return group(node, role: .dialog, children)
    }

    private func title(of node: RenderedNode, size: Double) -> Wireframe.Node? {
        guard let text = node.properties["title"]?.string, !text.isEmpty else { return nil }
        var title = Wireframe.Node(id: id(node, slot: 1), role: .text, text: text)
        title.style.fontSize = size
        title.style.isBold = true
        return title
    }

    /// The bar with its title and buttons, what is searched for, and the content.
    private func page(_ node: RenderedNode) -> Wireframe.Node {
        var bars: [String: [Wireframe.Node]] = [:]
        var rest: [Wireframe.Node] = []
        for child in node.children {
            if child.kind == "toolbarItem" {
                bars[child.properties["placement"]?.string ?? "trailing", default: []] += nodes(of: child.children)
            } else if let shown = self.node(child) {
                rest.append(shown)
            }
        }
        var top = bars["leading", default: []]
        if node.actions.contains(.back) { top.insert(.init(id: id(node, slot: 2), role: .icon), at: 0) }
        if let title = title(of: node, size: node.properties["displayMode"] == "inline" ? 17 : 34) {
            top.append(title)
        }
        top += bars["principal", default: []] + bars["trailing", default: []]
        var children = rest
        if node.properties["barHidden"]?.bool != true, !top.isEmpty {
            children.insert(group(node, slot: 3, role: .bar, top), at: 0)
        }
        if let bottom = bars["bottom"] { children.append(group(node, slot: 4, role: .bar, bottom)) }
        return group(node, role: .page, children)
    }
}

extension Wireframe.Alignment {
    /// In both directions; `nil` where both are in the middle, as they are unless something else is said.
    init?(horizontal: String?, vertical: String?) {
        let sides = [vertical, horizontal].compactMap { $0 == "center" ? nil : $0 }
        self.init(rawValue: sides.joined(separator: " "))
    }
}
