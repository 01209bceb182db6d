import BrowserKit
import ViewTree

@testable import DeviceSimulator

/// A node of a screen that a stand-in for an app shows.
func node(
    _ id: Int, _ kind: NodeKind, _ properties: [String: NodeValue] = [:], _ children: [RenderedNode] = [],
    actions: [ViewAction] = [],
) -> RenderedNode {
    RenderedNode(id: id, kind: kind, properties: properties, actions: actions, children: children)
}

/// A screen with this content, in a window of the nodes 1 and 2.
func tree(_ revision: Int, _ content: RenderedNode, _ animation: TreeAnimation? = nil) -> RenderedTree {
    let root = node(1, .window, [:], [node(2, .content, [:], [content])])
    return RenderedTree(revision: revision, root: root, animation: animation)
}

/// The button of ``PhonePage/open(_:then:_:)``, with the identifier "go".
let goButton = node(9, .button, ["identifier": "go"], [node(10, .text, ["text": "Go"])], actions: [.tap])

extension PhonePage {
    /// Starts an app that shows a screen, and another after a tap on ``goButton``.
    static func open(
        _ before: RenderedTree, then after: RenderedTree,
        _ body: @Sendable @escaping (PhonePage) async throws -> Void,
    ) async throws {
        try await PhoneUnderTest.run(try StandInApp.changing(before, to: after)) { subject in
            try await subject.phone.launched()
            try await WebDriver.run { browser in
                let page = try await open(subject, in: browser)
                try await page.see("go")
                try await body(page)
                try await browser.requireNoErrors()
            }
        }
    }
}
