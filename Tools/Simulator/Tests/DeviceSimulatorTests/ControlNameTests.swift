import Testing
import ViewTree

@testable import DeviceSimulator

@Suite struct `The name of a control` {
    private static func node(
        _ id: Int, _ kind: NodeKind, _ properties: [String: NodeValue] = [:], actions: [ViewAction] = [],
        _ children: [RenderedNode] = [],
    ) -> RenderedNode {
        RenderedNode(id: id, kind: kind, properties: properties, actions: actions, children: children)
    }

    private static func text(_ id: Int, _ text: String) -> RenderedNode {
        node(id, .text, ["text": .string(text)])
    }

    private static func button(_ id: Int, _ title: String, _ identifier: String? = nil) -> RenderedNode {
        let properties = identifier.map { ["identifier": NodeValue.string($0)] } ?? [:]
        return node(id, .button, properties, actions: [.tap], [text(id + 1, title)])
    }

    /// A row with the name of a food, a button to add one, and a swipe action.
    private static func row(_ id: Int, _ name: String) -> RenderedNode {
        box(
            id, .row,
            [
                box(id + 1, .hstack, [text(id + 2, name), button(id + 3, "Add")]),
                box(id + 5, .swipeActions, [button(id + 6, "Delete"), button(id + 8, "Flag")]),
            ])
    }

    private static func box(_ id: Int, _ kind: NodeKind, _ children: [RenderedNode]) -> RenderedNode {
        node(id, kind, [:], children)
    }

    private static let picker = node(
        14, .picker, actions: [.change],
        [box(15, .label, [text(16, "Shelf")]), box(17, .choices, [text(18, "Upper"), text(19, "Lower")])])

    private static let pantry = box(
        10, .list,
        [
            row(100, "Milk"), row(200, "Rice"),
            node(12, .textField, ["label": "Note", "text": "Add"], actions: [.change]),
            node(13, .slider, ["number": 1, "identifier": "days"], actions: [.change]), picker,
        ])

    private static let bar = node(
        50, .tabBar, actions: [.change],
        [
            node(51, .tab, ["selected": true], [text(52, "Pantry")]),
            box(53, .tab, [node(54, .label, ["identifier": "tab-plan"], [text(55, "Plan")])]),
        ])

    private static let tabs = node(
        5, .tabs, ["identifier": "tabs"],
        [box(11, .tabPage, [pantry]), node(20, .tabPage, ["covered": true], [button(21, "Cook")]), bar])

    private static func screen(_ presented: RenderedNode...) -> RenderedTree {
        RenderedTree(revision: 1, root: box(1, .window, [box(2, .content, [tabs])] + presented))
    }

    @Test func `is the title of a tab, or an identifier of its label`() {
        let plan = ViewEvent(node: 50, action: .change, value: 1)
        #expect(Self.screen().event(.tap, on: "Plan") == plan)
        #expect(Self.screen().event(.tap, on: "tab-plan") == plan)
        #expect(Self.screen().choose("Plan", in: "tabs") == plan)
        #expect(Self.screen().event(.tap, on: "Cook") == nil, "the page is covered")
    }

    @Test func `is a text of the control, and of several the one beside something`() {
        #expect(Self.screen().event(.tap, on: "Add")?.node == 103)
        #expect(Self.screen().event(.tap, on: ControlName("Add", near: "Rice"))?.node == 203)
        #expect(Self.screen().event(.tap, on: ControlName("Add", near: "Oats")) == nil)
        #expect(Self.screen().event(.change, on: "Note", text: "2")?.value == "2")
        #expect(Self.screen().event(.change, on: "days", text: "2")?.value == 2)
        #expect(Self.screen().choose("Lower", in: "Shelf") == ViewEvent(node: 14, action: .change, value: 1))
    }

    @Test func `does not reach what a swipe uncovers`() {
        #expect(Self.screen().event(.tap, on: "Delete") == nil)
        #expect(Self.screen().swipe(nil, row: "Rice")?.node == 206)
        #expect(Self.screen().swipe("Flag", row: "Rice")?.node == 208)
        #expect(Self.screen().swipe("Flag", row: "Flag") == nil)
    }

    @Test func `names what is in front of an alert only if it is an identifier`() {
        let alert = Self.node(
            60, .alert, ["title": "Empty the pantry?"], [Self.box(61, .buttons, [Self.button(62, "Add")])])
        #expect(Self.screen(alert).event(.tap, on: "Add")?.node == 62)
        #expect(Self.screen(alert).event(.tap, on: "Plan") == nil)
        #expect(Self.screen(alert).event(.change, on: "days", text: "2")?.node == 13)
        #expect(ScreenExpectation(text: "Empty the pantry?").holds(for: Self.screen(alert)))
        #expect(!ScreenExpectation(text: "Delete").holds(for: Self.screen(alert)))
    }

    @Test(arguments: [
        (ViewEvent(node: 50, action: .change, value: 1), ControlName("tab-plan")),
        (ViewEvent(node: 103, action: .tap), ControlName("Add")),
        (ViewEvent(node: 203, action: .tap), ControlName("Add", near: "Rice")),
        (ViewEvent(node: 12, action: .change, value: "x"), ControlName("Note")),
        (ViewEvent(node: 13, action: .change, value: 3), ControlName("days")),
    ])
    func `is found for an event`(event: ViewEvent, name: ControlName) {
        #expect(Self.screen().name(of: event) == name)
    }

    @Test func `is found for a choice and for a swipe`() {
        let choice = Self.screen().choice(of: ViewEvent(node: 14, action: .change, value: 0))
        #expect(choice?.title == "Upper" && choice?.control == "Shelf")
        let swipe = Self.screen().swipe(of: ViewEvent(node: 208, action: .tap))
        #expect(swipe?.row == "Rice" && swipe?.title == "Flag")
        #expect(Self.screen().swipe(of: ViewEvent(node: 203, action: .tap)) == nil)
    }

    @Test func `has near ones, which a failure lists`() {
        let names = Self.screen().controlNames
        #expect(NearestNames.to("tab-plans", among: names) == ["tab-plan", "Plan"])
        #expect(NearestNames.to("add", among: names) == ["Add"])
        #expect(NearestNames.to("moon", among: names).isEmpty)
    }
}
