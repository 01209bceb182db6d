import Astrolabe
import AstrolabeSessionReplay
import DeviceLink
import ViewTree

/// Converts a view tree to a wireframe. `Docs/Internals/ViewHost.md` describes the kinds of nodes.
///
/// Covered pages and hidden views are left out. A wrapper such as padding, a frame or a background becomes part of the
/// view inside if that looks the same, so wireframes stay small. Of a field, only whether it has content is kept. Of a
/// menu, the selected choice is left out. Accessibility labels, values and image names are never read.
struct ScreenWireframe {
    /// The device whose screen it is.
    var device = DeviceProfile.standard

    func wireframe(of tree: RenderedTree) -> Wireframe {
        var root = Wireframe.Node(id: id(tree.root), role: .screen, children: nodes(of: tree.root.children))
        let isDark = tree.root.properties["colorScheme"]?.string == "dark"
        root.style.fill = Wireframe.Color(isDark ? "#000000" : "#ffffff")
        return Wireframe(width: device.width, height: device.height, root: root)
    }

    /// Returns the id of a wireframe node. A node of the screen can become several, each with its own slot.
    func id(_ node: RenderedNode, slot: Int = 0) -> Int { node.id << 3 | slot }

    func nodes(of all: [RenderedNode]) -> [Wireframe.Node] { all.compactMap(node) }

    /// Returns `nil` if nothing of the node is visible.
    func node(_ node: RenderedNode) -> Wireframe.Node? {
        guard !node.isCovered else { return nil }
        guard var result = drawn(node) else { return nil }
        if node.properties["private"]?.bool == true { result.isPrivate = true }
        if node.properties["disabled"]?.bool == true { result.isDimmed = true }
        guard let name = node.properties["identifier"]?.string else { return result }
        if let inner = result.name, inner != name {
            result = group(node, [result])
        }
        result.name = name
        return result
    }

    /// Draws a node of any kind: a new kind does not compile until this switch draws it.
    private func drawn(_ node: RenderedNode) -> Wireframe.Node? {
        switch node.kind {
        case .hidden, .placeholder, .swipeActions: nil

        case .vstack: stack(node, role: .column)
        case .hstack: stack(node, role: .row)
        case .zstack: layers(node)
        case .grid: grid(node)
        case .geometry: group(node, role: .layer, nodes(of: node.children))
        case .scroll: box(node, role: .scroll)
        case .list, .form: box(node, role: .list)
        case .section: box(node, role: .section)
        case .row: cell(node)

        // A full-screen cover is the screen.
        case .sheet where node.properties["fullScreen"] == true: wrapped(node, severalAs: .column)
        case .sheet: box(node, role: .sheet)
        case .alert, .dialog: dialog(node)
        case .page: page(node)
        case .tabBar where node.properties["indexHidden"] == true: nil
        case .tabBar: box(node, role: .bar)
        case .tab: group(node, role: .button, [group(node, slot: 1, role: .column, nodes(of: node.children))])

        case .button, .link: button(node)
        case .textField, .secureField, .textEditor: field(node, isRounded: node.properties["style"] == "roundedBorder")
        case .search where node.children.isEmpty: field(node, isRounded: true)
        case .search:
            group(node, slot: 1, role: .column, [field(node, isRounded: true)] + nodes(of: node.children))
        case .toggle: toggle(node)
        case .stepper: box(node, role: .stepper)
        case .slider: box(node, role: .stepper)
        case .datePicker, .colorPicker: box(node, role: .row)
        case .menu: box(node, role: .button)
        case .picker: picker(node)
        case .progress: progress(node)

        case .text: text(node)
        case .image: image(node)
        case .shape, .color: shape(node)
        case .spacer: spacer(node)
        case .divider: Wireframe.Node(id: id(node), role: .line)

        case .background, .overlay: layered(node)
        case .padding: wrapped(node) { padded($0, by: node) }
        case .frame: wrapped(node) { framed($0, by: node) }
        case .paint: wrapped(node) { painted($0, color(node, "fill"), by: node) }
        case .clip: wrapped(node) { clipped($0, by: node) }
        case .opacity: (node.properties["opacity"]?.number ?? 1) < 0.02 ? nil : wrapped(node)
        case .columns: box(node, role: .row)
        case .label, .buttons: wrapped(node, severalAs: .row)
        case .pageContent, .content, .message, .choices, .tabs, .tabPage: wrapped(node, severalAs: .column)
        case .window, .layer, .header, .footer, .group, .navigation, .toolbarItem, .tapArea, .holdArea, .dragArea:
            wrapped(node)
        case .contextMenu: wrapped(node, severalAs: .column)
        case .coordinateSpace, .position: wrapped(node)
        case .border, .shadow, .contentShape, .offset, .scale, .rotation, .blur, .filter, .redacted: wrapped(node)
        case .fixedSize, .aspectRatio, .layoutPriority, .zIndex, .ignoresSafeArea: wrapped(node)
        }
    }

    func group(
        _ node: RenderedNode, role: Wireframe.Role = .group, _ children: [Wireframe.Node],
    ) -> Wireframe.Node {
        Wireframe.Node(id: id(node), role: role, children: children)
    }

    /// A group of everything that is visible in the node.
    func box(_ node: RenderedNode, role: Wireframe.Role) -> Wireframe.Node {
        group(node, role: role, nodes(of: node.children))
    }

    private func stack(_ node: RenderedNode, role: Wireframe.Role) -> Wireframe.Node {
        var stack = box(node, role: role)
        stack.layout.alignment = node.properties["alignment"]?.string.flatMap(Wireframe.Alignment.init)
        stack.layout.spacing = node.properties["spacing"]?.number
        return stack
    }

    private func layers(_ node: RenderedNode) -> Wireframe.Node {
        var layers = box(node, role: .layer)
        layers.layout.alignment = Wireframe.Alignment(
            horizontal: node.properties["horizontal"]?.string, vertical: node.properties["vertical"]?.string)
        return layers
    }

    private func grid(_ node: RenderedNode) -> Wireframe.Node {
        var grid = box(node, role: .grid)
        grid.layout.columns = node.properties["columns"]?.list?.count
        grid.layout.spacing = node.properties["spacing"]?.number
        return grid
    }

    private func group(
        _ node: RenderedNode, slot: Int, role: Wireframe.Role, _ children: [Wireframe.Node],
    ) -> Wireframe.Node {
        Wireframe.Node(id: id(node, slot: slot), role: role, children: children)
    }

    /// Draws a row. A row that is only a link becomes a cell with the link's name.
    private func cell(_ node: RenderedNode) -> Wireframe.Node {
        let shown = node.children.filter { $0.kind != .swipeActions }
        guard shown.count == 1, shown[0].kind == .link, shown[0].properties["style"] == "row" else {
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

    /// Draws a page: the bar with its title and buttons, the search field, and the content.
    private func page(_ node: RenderedNode) -> Wireframe.Node {
        var bars: [String: [Wireframe.Node]] = [:]
        var rest: [Wireframe.Node] = []
        for child in node.children {
            if child.kind == .toolbarItem {
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
    /// Combines both directions; `nil` if both are centered, which is the default.
    init?(horizontal: String?, vertical: String?) {
        let sides = [vertical, horizontal].compactMap { $0 == "center" ? nil : $0 }
        self.init(rawValue: sides.joined(separator: " "))
    }
}
