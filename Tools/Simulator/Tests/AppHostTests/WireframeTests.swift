import Astrolabe
import AstrolabeSessionReplay
import DeviceLink
import Testing
import ViewTree

@testable import AppHost

@MainActor
@Suite struct `The wireframe of a screen` {
    private func node(
        _ id: Int, _ kind: NodeKind, _ properties: [String: NodeValue] = [:], _ children: [RenderedNode] = [],
        actions: [ViewAction] = [],
    ) -> RenderedNode {
        RenderedNode(id: id, kind: kind, properties: properties, actions: actions, children: children)
    }

    private func wireframe(_ children: RenderedNode...) -> Wireframe.Node {
        let root = RenderedNode(id: 1, kind: .window, children: children)
        return ScreenWireframe().wireframe(of: RenderedTree(revision: 1, root: root)).root
    }

    @Test func `has the size of the device's screen`() {
        let tree = RenderedTree(revision: 1, root: node(1, .window))
        let standard = ScreenWireframe().wireframe(of: tree)
        #expect(standard.width == 393 && standard.height == 852)
        let large = ScreenWireframe(device: DeviceName.iPadMini.profile).wireframe(of: tree)
        #expect(large.width == 744 && large.height == 1_133)
    }

    @Test func `says of a view what surrounds it`() throws {
        let text = node(2, .text, ["text": "Go", "fontSize": 17, "fontWeight": 700, "color": "#ffffff"])
        let padded = node(3, .padding, ["top": 1, "leading": 2, "bottom": 3, "trailing": 4], [text])
        let painted = node(4, .clip, ["radius": 8], [node(5, .paint, ["fill": "accent"], [padded])])
        let framed = node(
            6, .frame, ["width": 80, "horizontal": "center", "vertical": "center"],
            [
                node(7, .opacity, ["opacity": 0.5], [text])
            ])
        let root = wireframe(painted, framed)
        let (first, second) = (root.children[0], root.children[1])
        #expect(first.role == .text && first.children.isEmpty)
        #expect(first.layout.padding == Wireframe.Insets(top: 1, leading: 2, bottom: 3, trailing: 4))
        #expect(first.style.fill?.text == "accent" && first.style.radius == 8)
        #expect(first.style.ink?.text == "#ffffff" && first.style.isBold && first.style.fontSize == 17)
        #expect(second.role == .text && second.layout.width == 80)
    }

    @Test func `keeps padding apart that lies outside of a color`() {
        let text = node(2, .text, ["text": "Go"])
        let root = wireframe(node(3, .padding, ["top": 9], [node(4, .paint, ["fill": "red"], [text])]))
        #expect(root.children[0].role == .group && root.children[0].layout.padding?.top == 9)
        #expect(root.children[0].children[0].style.fill?.text == "red")
        #expect(root.children[0].children[0].layout.padding == nil)
    }

    @Test func `leaves out what cannot be seen`() {
        let text = node(2, .text, ["text": "unseen"])
        let root = wireframe(
            node(3, .page, ["covered": true], [text]), node(4, .hidden, [:], [text]),
            node(5, .opacity, ["opacity": 0], [text]), node(6, .placeholder, ["count": 5]),
            node(7, .row, [:], [node(8, .swipeActions, [:], [text])]))
        #expect(root.children.map(\.role) == [.cell])
        #expect(root.children[0].children.isEmpty)
    }

    @Test func `has of a full-screen cover the content alone, and of a sheet the sheet`() {
        let text = node(2, .text, ["text": "over"])
        let root = wireframe(
            node(3, .content, ["covered": true], [node(4, .text)]), node(5, .sheet, ["fullScreen": true], [text]),
            node(6, .sheet, ["fullScreen": false], [text]))
        #expect(root.children.map(\.role) == [.text, .sheet])
    }

    @Test func `has for a row that leads elsewhere one cell with the link's name`() {
        let link = node(3, .link, ["style": "row", "identifier": "product-1"], [node(4, .text, ["text": "A"])])
        let cell = wireframe(node(2, .row, [:], [link])).children[0]
        #expect(cell.role == .cell && cell.name == "product-1")
        #expect(cell.children.map(\.role) == [.text])
    }

    @Test func `tells of a field only whether it holds something, and of a menu not what is chosen`() {
        let choices = node(4, .choices, [:], [node(5, .text, ["text": "01"]), node(6, .text, ["text": "02"])])
        let root = wireframe(
            node(2, .textField, ["text": "a@b.example", "placeholder": "E-mail", "label": "E-mail"]),
            node(3, .secureField, ["text": ""]),
            node(7, .picker, ["selected": 1, "style": "automatic"], [choices]))
        #expect(root.children.map(\.role) == [.field, .field, .picker])
        #expect(root.children.map(\.hasContent) == [true, false, false])
        #expect(root.children.allSatisfy { $0.text == nil })
        #expect(root.children[2].children.map(\.isPrivate) == [true])
    }

    @Test func `has the label of a menu only if the screen shows it`() {
        let label = node(2, .label, [:], [node(3, .text, ["text": "Size"])])
        let root = wireframe(node(4, .picker, [:], [label]), node(5, .picker, ["labelHidden": true], [label]))
        #expect(root.children.map { $0.children.map(\.text) } == [["Size", "chosen"], ["chosen"]])
    }

    @Test func `has a bar with the title and the buttons of a page`() {
        let item = node(3, .toolbarItem, ["placement": "trailing"], [node(4, .button, ["identifier": "cart"])])
        let content = node(5, .pageContent, [:], [node(6, .list)])
        let page = wireframe(
            node(7, .navigation, [:], [node(2, .page, ["title": "Shop"], [item, content], actions: [.back])])
        ).children[0]
        #expect(page.role == .page)
        #expect(page.children.map(\.role) == [.bar, .list])
        #expect(page.children[0].children.map(\.role) == [.icon, .text, .button])
        #expect(page.children[0].children[2].name == "cart")
    }

    @Test func `keeps what is private so`() {
        let secret = node(2, .vstack, ["private": true], [node(3, .text, ["text": "secret"])])
        #expect(wireframe(secret).children[0].isPrivate)
        #expect(wireframe(node(4, .padding, ["private": true], [node(3, .text)])).children[0].isPrivate)
    }

    @Test func `gives every node an id of its own`() {
        func ids(_ node: Wireframe.Node) -> [Int] { [node.id] + node.children.flatMap(ids) }
        let page = node(2, .page, ["title": "T"], [node(3, .tab, [:], [node(4, .text)])], actions: [.back])
        let all = ids(wireframe(page, node(5, .dialog, ["title": "Sure?"]), node(6, .picker)))
        #expect(Set(all).count == all.count)
    }
}
